"""How a harness is made and how it earns trust."""
