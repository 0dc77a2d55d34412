"""The agent's graph, readable top to bottom.

    study → build_harness → qualify ⇄ build_harness → attempt → score → reflect ↺ … → finish

A spent budget and a model that stalls are not errors: whatever node they happen in, the run goes to `finish` with the
submission promoted so far.
"""

from collections.abc import Callable
from typing import Any

from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from agent.budget import BudgetSpent
from agent.converse import Stalled
from agent.nodes.attempt import attempt
from agent.nodes.build_harness import build_harness
from agent.nodes.finish import finish
from agent.nodes.qualify import qualify
from agent.nodes.reflect import reflect
from agent.nodes.score import score
from agent.nodes.study import study
from agent.run import Run
from agent.state import State

Node = Callable[[Run, State], State]
NODES: tuple[tuple[str, Node], ...] = (
    ("study", study),
    ("build_harness", build_harness),
    ("qualify", qualify),
    ("attempt", attempt),
    ("score", score),
    ("reflect", reflect),
)


def build_graph(run: Run, checkpointer: BaseCheckpointSaver[Any]) -> CompiledStateGraph[State]:
    """The graph over one run's parts."""
    graph = StateGraph(State)
    for name, node in NODES:
        graph.add_node(name, _stopping(run, node))
    graph.add_node("finish", RunnableLambda(lambda state: finish(run, state)))

    graph.add_edge(START, "study")
    graph.add_conditional_edges("study", _unless_stopped("build_harness"))
    graph.add_conditional_edges("build_harness", _unless_stopped("qualify"))
    graph.add_conditional_edges("qualify", _after_qualify)
    graph.add_conditional_edges("attempt", _unless_stopped("score"))
    graph.add_conditional_edges("score", _unless_stopped("reflect"))
    graph.add_conditional_edges("reflect", _unless_stopped("attempt"))
    graph.add_edge("finish", END)
    return graph.compile(checkpointer=checkpointer)


def _stopping(run: Run, node: Node) -> Runnable[State, State]:
    def guarded(state: State) -> State:
        try:
            run.budget.check()
            return node(run, state)
        except BudgetSpent as spent:
            return {"stopped": f"the budget is spent ({spent})"}
        except Stalled as stalled:
            return {"stopped": str(stalled)}

    return RunnableLambda(guarded)


def _unless_stopped(following: str) -> Callable[[State], str]:
    def route(state: State) -> str:
        return "finish" if state.get("stopped") else following

    return route


def _after_qualify(state: State) -> str:
    if state.get("stopped"):
        return "finish"
    return "attempt" if state["qualified"] else "build_harness"
