"""Text and names in, a frozen result out. Knows the engine and the registry, nothing of pages or plots."""
