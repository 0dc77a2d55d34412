"""Any model LiteLLM can reach, the managed local engine included.

Transient trouble (a rate limit, a timeout, a 5xx) is retried by a few growing waits; what remains is an
EnvironmentFailure, which pauses the run. A wrong name or key is the user's to mend and is an AuthorError.
"""

import json
import logging
import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from agent.model import Reply, Request, Usage
from tools.base import ToolCall
from tools.errors import AuthorError, EnvironmentFailure

PARALLEL = 32
WAITS_SEC = (1.0, 4.0, 15.0)
REQUEST_SEC = 600.0


class LiteModel:
    """A LiteLLM model name, with `api_base` and `api_key` when it is an engine of our own.

    `guided` is true for engines known to keep schemas and prefills (vLLM); other APIs get tools and schemas as hints.
    """

    def __init__(
        self, name: str, *, api_base: str | None = None, api_key: str | None = None, guided: bool = False
    ) -> None:
        # LiteLLM fetches its price list at import unless told to use the one it ships.
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm  # noqa: PLC0415 - slow to import, and only some models need it

        litellm.suppress_debug_info = True
        litellm.telemetry = False
        logging.getLogger("LiteLLM").setLevel(logging.ERROR)
        self._litellm = litellm
        self.name = name
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

    def sample(self, requests: Sequence[Request]) -> list[Reply]:
        with ThreadPoolExecutor(min(PARALLEL, max(1, len(requests)))) as pool:
            return list(pool.map(self.complete, requests))

    def _ask(self, request: Request) -> Any:
        errors = self._litellm.exceptions
        transient = (errors.RateLimitError, errors.Timeout, errors.APIConnectionError, errors.InternalServerError,
                     errors.ServiceUnavailableError)  # fmt: skip
        for wait in (*WAITS_SEC, None):
            try:
                return self._litellm.completion(**self._arguments(request))
            except transient as error:
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
                    remedy='Use a LiteLLM name such as "openai/NAME", or "local"',
                ) from None
        raise AssertionError("unreachable: the last wait is None")

    def _arguments(self, request: Request) -> dict[str, Any]:
        arguments: dict[str, Any] = {
            "model": self.name,
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
        arguments = json.loads(raw)
    except ValueError:
        arguments = None
    if not isinstance(arguments, dict):
        arguments = {"__malformed__": raw[:500]}
    return ToolCall(id=str(call.id), name=str(call.function.name), arguments=arguments)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:300] if str(error).strip() else type(error).__name__
