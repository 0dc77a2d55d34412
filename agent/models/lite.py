"""Any model LiteLLM can reach, the managed local engine included.

Transient trouble (a rate limit, a timeout, a 5xx) is retried by a few growing waits; what remains is an
EnvironmentFailure, which pauses the run. A wrong name or key is the user's to mend and is an AuthorError.
"""

import json
import logging
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

from agent.model import Reply, Request, Usage
from agent.parallel import side_by_side
from agent.plain import plain
from tools.base import MALFORMED, ToolCall
from tools.errors import AuthorError, EnvironmentFailure

PARALLEL = 32
WAITS_SEC = (1.0, 4.0, 15.0)
REQUEST_SEC = 600.0
KEY_WORDS = ("api key", "api_key", "credentials")
NAMES = 'Use a LiteLLM name such as "openai/NAME", or "local"'


def check_name(name: str) -> None:
    """AuthorError when LiteLLM knows no provider by this model name; nobody is asked."""
    litellm = _litellm()
    try:
        litellm.get_llm_provider(name)
    except litellm.exceptions.BadRequestError:
        raise AuthorError("no provider of models is known by this name", where=plain(name), remedy=NAMES) from None


def _litellm() -> Any:
    # LiteLLM fetches its price list at import unless told to use the one it ships.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm  # noqa: PLC0415 - slow to import, and only some models need it

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    return litellm


class LiteModel:
    """A LiteLLM model name, with `api_base` and `api_key` when it is an engine of our own.

    `guided` is true for engines known to keep schemas and prefills (vLLM); other APIs get tools and schemas as hints.
    `shown` is what people and the ledger call it, where that is not LiteLLM's name.
    """

    def __init__(
        self,
        name: str,
        *,
        api_base: str | None = None,
        api_key: str | None = None,
        guided: bool = False,
        shown: str = "",
    ) -> None:
        self._litellm = _litellm()
        self._model = name
        self.name = shown or name
        self.guided = guided
        self._where = {"api_base": api_base, "api_key": api_key}

    def complete(self, request: Request) -> Reply:
        started = time.monotonic()
        response = self._ask(request)
        message = response.choices[0].message
        return Reply(
            content=request.prefill + (message.content or ""),
            tool_calls=tuple(_parse_call(call) for call in message.tool_calls or ()),
            usage=self._usage(response),
            seconds=time.monotonic() - started,
            finish_reason=str(response.choices[0].finish_reason or "stop"),
        )

    def sample(self, requests: Sequence[Request]) -> Iterator[Reply]:
        return side_by_side(self.complete, requests, at_once=PARALLEL)

    def _ask(self, request: Request) -> Any:
        errors = self._litellm.exceptions
        transient = (errors.RateLimitError, errors.Timeout, errors.APIConnectionError, errors.InternalServerError,
                     errors.ServiceUnavailableError)  # fmt: skip
        for wait in (*WAITS_SEC, None):
            try:
                return self._litellm.completion(**self._arguments(request))
            except transient as error:
                self._refuse_missing_key(error)
                if wait is None:
                    raise EnvironmentFailure(
                        f"the model does not answer: {_first_line(error)}",
                        where=self.name,
                        remedy="Resume the run once it does",
                    ) from None
                time.sleep(wait)
            except (errors.AuthenticationError, errors.NotFoundError, errors.PermissionDeniedError) as error:
                raise AuthorError(
                    f"the model refuses us: {_first_line(error)}", where=self.name, remedy="Check its name and API key"
                ) from None
            except errors.BadRequestError as error:
                raise AuthorError(
                    f"the model cannot be asked: {_first_line(error)}",
                    where=self.name,
                    remedy=NAMES,
                ) from None
        raise AssertionError("unreachable: the last wait is None")

    def _refuse_missing_key(self, error: Exception) -> None:
        """AuthorError when what looks like trouble at the provider's is a key nobody gave: LiteLLM tells them apart for
        some providers only. An error that says nothing of keys is not taken for one, as keys can come in other ways."""
        said = str(error).lower()
        if self._where["api_key"] is None and any(word in said for word in KEY_WORDS):
            missing = self._litellm.validate_environment(model=self._model)["missing_keys"]
            if missing:
                raise AuthorError(
                    f"no API key is given: {_first_line(error)}",
                    where=self.name,
                    remedy=f"Set {' or '.join(missing)} in the environment",
                )

    def _arguments(self, request: Request) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self._model,
            "messages": list(request.messages),
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "timeout": REQUEST_SEC,
            "num_retries": 0,
            **self._where,
        }
        # vLLM 0.32 on a CPU dies when a seeded request's prompt is computed in several chunks ("CPU Generator does not
        # use offset"), so our own engine is never sent a seed; what a run's seed fixes there is the choice of prompts.
        seed = None if self._where["api_base"] else request.seed
        optional = {"stop": list(request.stop) or None, "seed": seed, "tools": list(request.tools) or None}
        arguments |= {key: value for key, value in optional.items() if value is not None}
        if request.tools:
            arguments["tool_choice"] = "required" if self.guided else "auto"
        if request.schema:
            shape = {"name": "reply", "schema": request.schema, "strict": True}
            arguments["response_format"] = {"type": "json_schema", "json_schema": shape}
        if request.prefill and self.guided:
            arguments["messages"].append({"role": "assistant", "content": request.prefill})
            arguments["extra_body"] = {"continue_final_message": True, "add_generation_prompt": False}
        return arguments

    def _usage(self, response: Any) -> Usage:
        usage = response.usage
        details = getattr(usage, "prompt_tokens_details", None)
        cached = getattr(details, "cached_tokens", None) or 0
        return Usage(usage.prompt_tokens, cached, usage.completion_tokens, self._cost(response))

    def _cost(self, response: Any) -> float | None:
        if self._where["api_base"]:
            return None  # our own engine has no price list
        try:
            return float(self._litellm.completion_cost(completion_response=response))
        except Exception:  # LiteLLM raises bare Exceptions for models it has no price for
            return None


def _parse_call(call: Any) -> ToolCall:
    """A call whose arguments are not a JSON object keeps the raw text, for the registry to complain about."""
    raw = call.function.arguments or "{}"
    try:
        arguments = json.loads(raw, parse_constant=_no_json)
    except (ValueError, RecursionError):
        arguments = None
    if not isinstance(arguments, dict):
        arguments = {MALFORMED: raw[:500]}
    return ToolCall(id=str(call.id), name=str(call.function.name), arguments=arguments)


def _no_json(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__
