/*
 * dashboard_talk.js: requests to the server, and the dialogs that ask people. The token of an admin, where the server
 * wants one, is kept in sessionStorage: it goes when the tab is closed.
 */
'use strict';

const talk = (() => {
  const byId = id => document.getElementById(id);
  const KEY = 'roster-token';
  let asking = null; /* the answer to a question for the token that is open */

  class Refused extends Error {
    constructor(status, code, sentence) {
      super(sentence);
      this.status = status;
      this.code = code;
    }
  }

  async function once(method, path, body) {
    const headers = {};
    const token = sessionStorage.getItem(KEY);
    if (token) headers.Authorization = 'Bearer ' + token;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const answer = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(20000),
    });
    const text = await answer.text();
    if (answer.ok) return {text, next: answer.headers.get('Roster-Next')};
    let error = {};
    try {
      error = JSON.parse(text).error;
    } catch (_) {
      /* said below */
    }
    throw new Refused(answer.status, error.code,
      error.message || `The server answered with HTTP status ${answer.status}.`);
  }

  /* Asks for a token where the server wants one, as long as people give one. */
  async function ask(method, path, body) {
    for (;;) {
      try {
        return await once(method, path, body);
      } catch (error) {
        const wanted = error instanceof Refused && (error.status === 401 || error.code === 'forbidden');
        if (!wanted || !(await askToken(sessionStorage.getItem(KEY) ? error.message : ''))) throw error;
      }
    }
  }

  const get = async path => JSON.parse((await ask('GET', path)).text);
  const post = async (path, body) => JSON.parse((await ask('POST', path, body)).text);
  const lines = async path => {
    const {text, next} = await ask('GET', path);
    return {lines: text.split('\n').filter(Boolean).map(line => JSON.parse(line)), next: Number(next)};
  };

  function fill({title, text, yes, token = false, refused = ''}) {
    byId('ask-title').textContent = title;
    byId('ask-text').textContent = text;
    byId('ask-yes').textContent = yes;
    byId('ask-field').hidden = !token;
    byId('ask-token').value = '';
    refuse(refused);
  }

  function refuse(sentence) {
    byId('ask-refused').textContent = sentence;
    byId('ask-refused').hidden = !sentence;
  }

  /* Opens the dialog; `act` does what was asked for, and the dialog stays open with the sentence where it fails. */
  function open(question, act) {
    const dialog = byId('ask');
    return new Promise(resolve => {
      const end = done => {
        dialog.close();
        resolve(done);
      };
      fill(question);
      byId('ask-no').onclick = () => end(false);
      dialog.oncancel = event => {
        event.preventDefault();
        end(false);
      };
      byId('ask-form').onsubmit = async event => {
        event.preventDefault();
        byId('ask-yes').disabled = true;
        try {
          await act();
          end(true);
        } catch (error) {
          refuse(error.message);
        } finally {
          byId('ask-yes').disabled = false;
        }
      };
      if (!dialog.open) dialog.showModal();
      (question.token ? byId('ask-token') : byId('ask-yes')).focus();
    });
  }

  function askToken(refused) {
    asking = asking || open(
      {
        title: 'This server requires a token',
        text: 'Enter an admin token: the TOKEN of a line "admin TOKEN" in the file that --tokens names. ' +
          'The page forgets it when you close this tab.',
        yes: 'Continue',
        token: true,
        refused,
      },
      async () => {
        const token = byId('ask-token').value.trim();
        if (!token) throw new Error('Enter a token.');
        sessionStorage.setItem(KEY, token);
      },
    ).finally(() => {
      asking = null;
    });
    return asking;
  }

  /* A sentence at the foot of the page, for a while. */
  let timer = 0;
  function say(sentence) {
    byId('said').textContent = sentence;
    byId('said').hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      byId('said').hidden = true;
    }, 4000);
  }

  return {get, post, lines, open, say, Refused};
})();
