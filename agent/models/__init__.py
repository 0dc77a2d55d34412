"""Who answers: LiteLLM, a script, a recording."""
