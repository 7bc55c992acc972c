"""PLM Playground, from the outside in.

demos/      one file per tab; draws the page and names the events
ui/         what the tabs share in Gradio: shell, widgets, events, texts, theme
views/      turns a result into a plotly figure or escaped HTML
tasks/      text and names in, a frozen result out
registry/   the catalog of checkpoints: data, no torch
engine/     loads a checkpoint and runs it: device, memory budget, locks, families
models/     architectures of our own
training/   the one training loop
pretraining/ makes the bundled checkpoints; nothing that serves visitors imports it
results, errors, settings, visits, fork_lock: shared by all of them
"""
