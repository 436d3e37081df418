"""From five scikit-learn models to a running campaign.

A shop trained a model per season and now opens a campaign. Which of its models should
serve it? Run the cells one by one in an editor that knows `# %%`, or all of them:
python examples/python/tutorial.py [ROSTER]. With ROSTER, the program, the last part
starts a decision service and talks to it.
"""
# %% [markdown]
# ## 1. Five models
# Visitors have four features. Each season people liked other things, and each model was
# trained on its own season.

# %%
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import roster
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

ACTIONS = ["book", "film", "game"]
rng = np.random.default_rng(1)
tastes = rng.normal(size=(5, 4, len(ACTIONS)))


def visitors(n):
    return rng.normal(size=(n, 4))


def liked(season, people):
    """What the visitors of a season pick, most of the time."""
    return np.array(ACTIONS)[(people @ tastes[season] + rng.gumbel(size=(len(people),
    3))).argmax(axis=1)]


kinds = [LogisticRegression(), GaussianNB(), DecisionTreeClassifier(max_depth=3),
BernoulliNB(),
         LogisticRegression(C=0.01)]
models = []
for season, kind in enumerate(kinds):
    people = visitors(600)
    models.append(kind.fit(people, liked(season, people)))

# %% [markdown]
# ## 2. Models become experts
# An expert is a policy that draws its action. The paper's agent, d-ucb, learns most where
# every action stays possible: a small `floor`. `sample` is traffic like the one that is
# expected. `roster.Agent(experts)` would take the agent mixture, which needs neither.

# %%
experts = roster.Experts(models, sample=visitors(300), actions=ACTIONS, floor=0.01,
                         names=["spring", "summer", "autumn", "winter", "default"])
print(experts)
print("how much a sample of one says about another (1: as much as its own):")
print(experts.divergence().round(2))

# %% [markdown]
# ## 3. The campaign, in process
# The agent chooses an expert, the expert acts, the visitor answers, the agent learns. This season is the
# third one again.

# %%
agent = roster.Agent("d-ucb", experts, C=0.1)
earned = []
for person in visitors(800):
    expert = agent.choose()
    action = experts.act(expert, person, rng)
    reward = float(ACTIONS[action] == liked(2, person[None])[0])
    agent.learn(expert, person, action, reward)
    earned.append(reward)

estimates = agent.insight()["estimate"]
for name, value, index in zip(experts.names, estimates, agent.index()):
    print(f"{name:8} worth about {value:.3f}, index {index:.3f}")
print(f"chosen at last: {experts.names[agent.choose()]}, mean reward {np.mean(earned):.3f}")
assert experts.names[agent.choose()] == "autumn"

# %% [markdown]
# ## 4. What was learnt can be kept
# A snapshot is bytes; an agent made of the same experts goes on from it. Pickling does both.

# %%
again = roster.Agent("d-ucb", experts, C=0.1)
again.restore(agent.snapshot())
assert again.choose() == agent.choose() and again.rounds == 800

# %% [markdown]
# ## 5. A study before the next campaign
# Cut visitors into four kinds and the models become tables: then worlds can be simulated, and agents compared on them.

# %%
cells = [visitors(400) + 2 * np.array([i % 2, i // 2, 0, 0]) - 1 for i in range(4)]
tables = np.stack([np.stack([model(cell).mean(axis=0) for cell in cells]) for model in experts.models])
means = [[float(np.mean(liked(2, cell) == action)) for action in ACTIONS] for cell in cells]
study = {
    "name": "next-campaign", "contexts": 4, "actions": ACTIONS, "runs": 20, "seed": 1,
    "experts": roster.Experts(tables / tables.sum(axis=2, keepdims=True), names=experts.names),
    "episodes": [{"rounds": 2000, "reward_means": means}],
    "agents": [{"agent": "d-ucb"}, {"agent": "ucb"}, {"agent": "kl-ucb"}],
}
print(roster.explain(study))


class EpsilonGreedy:
    """Anybody's own agent, in the same study."""

    def __init__(self, experts, seed, run, **_):
        self.rng = np.random.default_rng([seed, run])
        self.sums, self.plays = np.zeros(len(experts)), np.zeros(len(experts))

    def choose(self):
        if self.rng.random() < 0.05 or not self.plays.all():
            return int(self.rng.integers(len(self.sums)))
        return int((self.sums / self.plays).argmax())

    def learn(self, expert, context, action, reward, propensity=0.0):
        self.sums[expert] += reward
        self.plays[expert] += 1


results = roster.run(study, players={"epsilon-greedy": EpsilonGreedy})
print(results)
assert results.regret[0] < results.regret[1]

# %%
figures = tempfile.mkdtemp()
try:
    results.plot(os.path.join(figures, "regret.pdf"))
    results.save(figures)
    print("a figure and a report are in", figures)
except ImportError:
    print("matplotlib is not installed: no figure")

# %% [markdown]
# ## 6. The campaign as a service
# For many web servers at once the agent belongs into a process of its own: `roster serve`. Experts whose contexts are
# visitors are evaluated by the caller, who sends what each of them would do.

# %%
if len(sys.argv) > 1:
    with tempfile.TemporaryDirectory() as data, subprocess.Popen(
            [sys.argv[1], "serve", "--data", os.path.join(data, "log"), "--listen", "127.0.0.1:0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        client = roster.Client(re.search(r"http://\S+:\d+", server.stdout.readline())[0])
        shop = client.create({
            "name": "shop", "contexts": 4, "actions": ACTIONS, "agent": "d-ucb", "seed": 1,
            "experts": [{"name": name, "table": (t / t.sum(axis=1, keepdims=True)).tolist()}
                        for name, t in zip(experts.names, tables)]})
        for context in rng.integers(4, size=30).tolist():
            decision = shop.decide(context)
            wanted = liked(2, cells[context][:1])[0]
            assert shop.reward(decision["event_id"], float(decision["action"] == wanted)) == "joined"
        print("the service has learnt from", shop.about()["counters"])
        client.close()
        server.terminate()
