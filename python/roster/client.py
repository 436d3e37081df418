"""The decision service, `roster serve`, over HTTP."""
from __future__ import annotations

import http.client
import json
import threading
import uuid
from typing import Any, Iterator, Mapping, Optional, Sequence, Union
from urllib.parse import quote, urlencode, urlsplit

import numpy as np

from ._native import Error, InvalidError


class ServiceError(Error):
    """A request that the service refused: its message, its `code` ("unknown-context") and the HTTP `status`."""

    def __init__(self, sentence: str, code: str = "", status: int = 0):
        super().__init__(sentence)
        self.code, self.status = code, status


def _plain(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    raise TypeError(f"a request cannot hold {type(value).__name__}")


class Client:
    """A decision service at a URL.

        client = roster.Client("http://127.0.0.1:7700", token="...")
        shop = client.create({"name": "shop", "contexts": ["day"], "actions": ["a", "b"], "agent": "d-ucb", ...})
        decision = shop.decide("day")
        shop.reward(decision["event_id"], 1.0)

    A request whose answer was lost is sent again once, which is safe: every decision has an event_id. Every thread has
    a connection of its own, so a client may be used from several.
    """

    def __init__(self, url: str = "http://127.0.0.1:7700", token: Optional[str] = None, timeout: float = 5.0):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidError(f"url is {url!r}, must be such as http://127.0.0.1:7700")
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._port, self._base = parts.hostname, parts.port, parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.url, self._timeout, self._local = url, timeout, threading.local()

    def _connection(self) -> http.client.HTTPConnection:
        if not hasattr(self._local, "connection"):
            self._local.connection = self._kind(self._host, self._port, timeout=self._timeout)
        return self._local.connection

    def close(self) -> None:
        """Close this thread's connection; the next request opens another."""
        if hasattr(self._local, "connection"):
            self._local.connection.close()
            del self._local.connection

    def _send(self, method: str, path: str, data: Optional[bytes]) -> tuple[int, bytes]:
        headers = dict(self._headers)
        if data is not None:
            headers["Content-Type"] = "application/json"
        for again in (True, False):
            connection = self._connection()
            try:
                connection.request(method, self._base + path, data, headers)
                answer = connection.getresponse()
                return answer.status, answer.read()
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if not again:
                    raise ServiceError(f"{self.url} does not answer: {error or type(error).__name__}") from error
        raise AssertionError("not reached")

    def request(self, method: str, path: str, body: Any = None, accept: Sequence[int] = ()) -> Any:
        """Any request, by the paths of /openapi.json: the answer's JSON. `accept`: refusals to return, not to raise."""
        data = None if body is None and method != "POST" else json.dumps(body or {}, default=_plain).encode()
        status, answer = self._send(method, path, data)
        if status >= 400 and status not in accept:
            raise _refusal(status, answer)
        try:
            return json.loads(answer)
        except ValueError:
            return answer.decode("utf-8", "replace")

    def ready(self) -> bool:
        """Whether the service accepts requests."""
        try:
            return self._send("GET", "/readyz", None)[0] == 200
        except ServiceError:
            return False

    def state(self) -> dict[str, Any]:
        """The server and its log."""
        return self.request("GET", "/v1/state")

    def metrics(self) -> str:
        """Metrics for Prometheus."""
        return self.request("GET", "/metrics")

    def campaigns(self) -> Any:
        """All campaigns, in short."""
        return self.request("GET", "/v1/campaigns")

    def campaign(self, name: str) -> Campaign:
        """A campaign by its name."""
        return Campaign(self, name)

    def create(self, description: Mapping[str, Any]) -> Campaign:
        """Create a campaign; the same description again changes nothing."""
        self.request("POST", "/v1/campaigns", dict(description))
        return Campaign(self, description["name"])

    def rosters(self) -> Any:
        """All rosters, in short."""
        return self.request("GET", "/v1/rosters")

    def create_roster(self, description: Mapping[str, Any]) -> dict[str, Any]:
        """Create a roster: named experts, known from tables or from samples."""
        return self.request("POST", "/v1/rosters", dict(description))

    def roster(self, name: str) -> dict[str, Any]:
        """A roster and the samples it has."""
        return self.request("GET", f"/v1/rosters/{quote(name, safe='')}")

    def add_samples(self, roster: str, samples: Sequence[Mapping[str, Any]]) -> int:
        """Add logged actions of experts: {"expert", "context", "action", "count"}. How many were added."""
        path = f"/v1/rosters/{quote(roster, safe='')}/samples"
        return self.request("POST", path, {"samples": [dict(sample) for sample in samples]})["added"]

    def events(self, after: int = 0, limit: int = 1000) -> Iterator[dict[str, Any]]:
        """The records of the log after a record."""
        return self._events("/v1/events", after, limit)

    def _events(self, path: str, after: int, limit: int) -> Iterator[dict[str, Any]]:
        answer = self.request("GET", f"{path}?{urlencode({'after': after, 'limit': limit})}")
        lines = answer.splitlines() if isinstance(answer, str) else [json.dumps(answer)]
        return iter([json.loads(line) for line in lines if line])


def _refusal(status: int, answer: bytes) -> ServiceError:
    try:
        error = json.loads(answer)["error"]
        return ServiceError(error["message"], error["code"], status)
    except (ValueError, KeyError, TypeError):
        return ServiceError(f"the service answers {status}: {answer[:200].decode('utf-8', 'replace')}", "", status)


class Campaign:
    """A campaign of a service."""

    REWARD_STATUSES = (404, 409, 410, 422)

    def __init__(self, client: Client, name: str):
        self.client, self.name = client, name
        self._path = f"/v1/campaigns/{quote(name, safe='')}"

    def decide(self, context: Union[str, int, None] = None, *, event_id: Optional[str] = None, features: Any = None,
               probabilities: Any = None, actions: Optional[Sequence[Union[str, int]]] = None) -> dict[str, Any]:
        """A decision: event_id, episode, expert, action, propensity. The same event_id again gives the same.

        Where actions differ from request to request, `probabilities` has a row per expert, or is a dict of rows by
        expert; a row is a list in the order of `actions`, a dict by action, or {"top": {..}, "tail": p}.
        """
        given = {"context": context, "features": features, "probabilities": probabilities, "actions": actions}
        body = {key: value for key, value in given.items() if value is not None}
        return self.client.request("POST", self._path + "/decide", {"event_id": event_id or str(uuid.uuid4()), **body})

    def decide_many(self, requests: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Many decisions at once; each answer is a decision or an error."""
        return self.client.request("POST", self._path + "/decide",
                                   [{"event_id": str(uuid.uuid4()), **request} for request in requests])

    def choose(self, *, event_id: Optional[str] = None) -> dict[str, Any]:
        """Choose an expert that acts elsewhere: event_id, episode, expert. The same event_id again gives the same."""
        return self.client.request("POST", self._path + "/choose", {"event_id": event_id or str(uuid.uuid4())})

    def choose_many(self, count: int) -> list[dict[str, Any]]:
        """Many choices at once."""
        return self.client.request("POST", self._path + "/choose",
                                   [{"event_id": str(uuid.uuid4())} for _ in range(count)])

    def acted(self, event_id: str, action: Union[str, int], probabilities: Any = None, *,
              actions: Any = None) -> dict[str, Any]:
        """Tell what a chosen expert did, with each expert's probability of that action: a list, or a dict by expert.

        Where no expert ever varies what it does, `actions` is enough: the action that each would have taken. Nothing
        is learnt of an event before this; a reward may come earlier. The same again changes nothing.
        """
        given = {"action": action, "probabilities": probabilities, "actions": actions}
        body = {key: value for key, value in given.items() if value is not None}
        return self.client.request("POST", self._path + "/acted", {"event_id": event_id, **body})

    def acted_many(self, deeds: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Many at once: {"event_id", "action", "probabilities" or "actions"}; each answer is a status or an error."""
        return self.client.request("POST", self._path + "/acted", [dict(deed) for deed in deeds])

    def observed(self, event_id: str, action: Union[str, int], context: Union[str, int, None] = None, *,
                 features: Any = None, probabilities: Any = None, actions: Any = None,
                 propensity: Optional[float] = None, expert: Optional[str] = None) -> dict[str, Any]:
        """Tell a campaign in mode shadow what production did, and with what probability, or which expert served.

        Without either the observation is stored, counted, and not `usable`. Rewards are sent as always.
        """
        given = {"action": action, "context": context, "features": features, "probabilities": probabilities,
                 "actions": actions, "propensity": propensity, "expert": expert}
        body = {key: value for key, value in given.items() if value is not None}
        return self.client.request("POST", self._path + "/observed", {"event_id": event_id, **body})

    def observed_many(self, sights: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Many observations at once; each answer is a status or an error."""
        return self.client.request("POST", self._path + "/observed", [dict(sight) for sight in sights])

    def reward(self, event_id: str, reward: float, *, reward_id: Optional[str] = None) -> str:
        """Send a reward. Returns its status: joined, duplicate, late, unknown, out-of-range.

        Where a campaign combines rewards, one with a reward_id joins its event once, however often it is sent.
        """
        body = {"event_id": event_id, "reward": reward, **({} if reward_id is None else {"reward_id": reward_id})}
        answer = self.client.request("POST", self._path + "/reward", body, accept=self.REWARD_STATUSES)
        if "status" not in answer:
            raise ServiceError(answer["error"]["message"], answer["error"]["code"])
        return answer["status"]

    def reward_many(self, rewards: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Many rewards at once."""
        return self.client.request("POST", self._path + "/reward", [dict(reward) for reward in rewards])

    def about(self) -> dict[str, Any]:
        """The campaign: description, controls, counters, episodes and insight."""
        return self.client.request("GET", self._path)

    def start_episode(self) -> int:
        """Start a new agent on the same experts. Returns the episode's number."""
        return self.client.request("POST", self._path + "/episodes")["episode"]

    def controls(self, **changes: Any) -> dict[str, Any]:
        """pin, learning, fallback, cap, retain, mode. Omitted keys keep their value."""
        return self.client.request("POST", self._path + "/controls", changes)

    def add_expert(self, expert: Mapping[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
        """Add an expert, {"name", "table"} or {"name", "weights", "bias"}, while the campaign runs. `dry_run`: only
        what would be known of it, from what others earned; nothing changes."""
        return self.client.request("POST", self._expert(None, dry_run), dict(expert))

    def replace_expert(self, name: str, expert: Mapping[str, Any], *, dry_run: bool = False) -> dict[str, Any]:
        """Replace an expert by a new version, which has a name of its own."""
        return self.client.request("PUT", self._expert(name, dry_run), dict(expert))

    def retire_expert(self, name: str) -> dict[str, Any]:
        """An expert decides no more; what it earned counts on."""
        return self.client.request("DELETE", self._expert(name, False))

    def _expert(self, name: Optional[str], dry_run: bool) -> str:
        place = "" if name is None else "/" + quote(name, safe="")
        return f"{self._path}/experts{place}{'?dry_run=true' if dry_run else ''}"

    def archive(self) -> dict[str, Any]:
        """Stop the campaign; it can still be read."""
        return self.client.request("DELETE", self._path)

    def events(self, after: int = 0, limit: int = 1000) -> Iterator[dict[str, Any]]:
        """The campaign's records in the log."""
        return self.client._events(self._path + "/events", after, limit)

    def __repr__(self) -> str:
        return f"Campaign({self.name!r} at {self.client.url})"
