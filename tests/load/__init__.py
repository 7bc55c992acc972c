"""Programs that put load on the running app: a long lesson, odd inputs, faults. Raw HTTP on this machine, bounded."""
