// Runs before bertviz's own script: replaces require.js and passes the parameters as bertviz expects them. A pair's
// parts are cut out here instead of being sent.
const require = { config() {} };
const requirejs = (names, run) => run(jQuery, d3);
const sent = JSON.parse(document.getElementById("sent").textContent);
const side = (start, end) => ({ text: sent.tokens.slice(start, end), of: (row) => row.slice(start, end) });
const part = (name, left, right) => ({
  name, left_text: left.text, right_text: right.text,
  attn: sent.weights.map((layer) => layer.map((head) =>
    left.of(head).map((row) => right.of(row).map((weight) => weight / sent.parts)))),
});
const all = side(0), a = side(0, sent.second_start), b = side(sent.second_start);
const attention = [part("All", all, all)];
if (sent.second_start !== null) attention.push(part("Sentence A -> Sentence A", a, a), part("Sentence B -> Sentence B", b, b),
  part("Sentence A -> Sentence B", a, b), part("Sentence B -> Sentence A", b, a));
const count = (list) => [...list.keys()];
const bertvizParameters = {
  attention, default_filter: "0", root_div_id: "bertviz", layer: null, heads: null, display_mode: "light",
  include_layers: count(sent.weights), include_heads: count(sent.weights[0]), total_heads: sent.weights[0].length,
};
