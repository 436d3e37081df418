"""roster: find out online, at little cost, which of many stochastic experts serves best.

The C library of D-UCB and ED-UCB (Sharma, Sen, Basu, Shanmugam, Shakkottai: Bandits with Stochastic Experts) with
numpy in front of it.

>>> import roster
>>> experts = roster.Experts([[[0.7, 0.2, 0.1]], [[0.1, 0.2, 0.7]]])
>>> agent = roster.Agent("d-ucb", experts)
>>> expert = agent.choose()
>>> agent.learn(expert, context=0, action=2, reward=1.0)

Threads: `Experts`, `Results` and `Study` do not change after creation and may be shared. An `Agent` has a lock: calls
on it take effect one after the other. `Estimates` and `Environment` are for one thread at a time. `run` and
`learn_batch` let other Python threads run meanwhile.
"""
from . import theory
from ._native import ColumnError, DamagedError, Error, InvalidError, NoMemoryError
from ._native import version as __version__
from .agent import Agent, AgentInfo, BatchError, Parameter, agents
from .client import Campaign, Client, ServiceError
from .environment import Environment, Player
from .estimates import Estimates, estimate
from .evaluation import Evaluation
from .evidence import Alarm, Evidence
from .experts import Experts
from .explain import Explanation, explain
from .logs import evaluate
from .models import soften
from .results import Case, Results
from .study import Study, environment, run, trace

__all__ = [
    "Agent", "AgentInfo", "Alarm", "BatchError", "Campaign", "Case", "Client", "ColumnError", "DamagedError",
    "Environment", "Error", "Estimates", "Evaluation", "Evidence", "Experts", "Explanation", "InvalidError",
    "NoMemoryError", "Parameter", "Player", "Results", "ServiceError", "Study", "__version__", "agents", "environment",
    "estimate", "evaluate", "explain", "run", "soften", "theory", "trace",
]
