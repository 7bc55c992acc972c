// Draws the word-sense view: points with a shape and a colour per class, the heat map, the curve over layers.

// Colours that colour-blind readers tell apart (Okabe and Ito 2008), and a shape for each.
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7b3fa0", "#8a8a8a"];
const SHAPES = ["disc", "box", "triangle", "diamond", "plus", "ring", "star", "dash"];
// Past the eighth a colour comes again with another shape.
const classOf = (number) => ({ colour: COLOURS[number % COLOURS.length],
  shape: SHAPES[(number + Math.floor(number / COLOURS.length)) % SHAPES.length] });

/** One mark of a class at a place. */
const drawMark = (context, { colour, shape }, x, y, size) => {
  context.fillStyle = context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  const corners = (...offsets) => {
    offsets.forEach(([dx, dy], at) => context[at ? "lineTo" : "moveTo"](x + dx * size, y + dy * size));
    context.closePath();
    context.fill();
  };
  if (shape === "disc" || shape === "ring") {
    context.arc(x, y, size * (shape === "ring" ? 0.8 : 1), 0, 2 * Math.PI);
    if (shape === "ring") context.stroke(); else context.fill();
  } else if (shape === "box") corners([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]);
  else if (shape === "triangle") corners([0, -1.15], [1.05, 0.85], [-1.05, 0.85]);
  else if (shape === "diamond") corners([0, -1.25], [1.1, 0], [0, 1.25], [-1.1, 0]);
  else if (shape === "dash") corners([-1.2, -0.4], [1.2, -0.4], [1.2, 0.4], [-1.2, 0.4]);
  else {
    const arms = shape === "plus" ? [[1, 0], [0, 1]] : [[1, 0], [0.5, 0.87], [-0.5, 0.87]];
    context.lineWidth = 3;
    for (const [dx, dy] of arms) {
      context.moveTo(x - dx * size * 1.1, y - dy * size * 1.1);
      context.lineTo(x + dx * size * 1.1, y + dy * size * 1.1);
    }
    context.stroke();
  }
};

/** A small picture of a mark for the legend. */
const markOf = (number) => {
  const canvas = make("canvas", { className: "sense-mark", attributes: { "aria-hidden": "true" } });
  drawMark(fit(canvas, 16, 16), classOf(number), 8, 8, 5.5);
  return canvas;
};

/** Points on the screen: [x, y, nearness] of each; nearness 1 in front, 0 behind. */
const onScreen = (points, edge, turn) => {
  const [yaw, pitch] = turn, half = edge / 2, reach = half - 16;
  return points.map(([x, y, z]) => {
    if (z === undefined) return [half + x * reach, half - y * reach, 0.6];
    const turned = x * Math.cos(yaw) + z * Math.sin(yaw), depth = z * Math.cos(yaw) - x * Math.sin(yaw);
    const up = y * Math.cos(pitch) - depth * Math.sin(pitch), away = depth * Math.cos(pitch) + y * Math.sin(pitch);
    const near = 1 / (1 + 0.35 * (away + 1)); // farther is smaller
    return [half + turned * reach * near, half - up * reach * near, Math.max(0, Math.min(1, (1 - away) / 2))];
  });
};

/** All points; the chosen one framed, and named beside it. */
const drawPoints = (context, edge, places, classes, chosen) => {
  context.clearRect(0, 0, edge, edge);
  const order = [...places.keys()].sort((a, b) => places[a][2] - places[b][2]);
  for (const at of order) {
    const [x, y, near] = places[at];
    context.globalAlpha = 0.45 + 0.45 * near;
    drawMark(context, classOf(classes[at]), x, y, 4 + 3 * near);
  }
  context.globalAlpha = 1;
  if (chosen === null || !places[chosen]) return;
  const [x, y] = places[chosen];
  context.strokeStyle = ink();
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 11, 0, 2 * Math.PI);
  context.stroke();
};

const WARM = [234, 88, 12];
/** Cosines [row, column] as a picture, rows in the given order; what is near 1 is full. */
const drawCosines = (context, edge, cosines, order, chosen) => {
  const count = order.length;
  context.clearRect(0, 0, edge, edge);
  // Cosines of real models lie close together: the darkest is 1, the palest the smallest.
  let least = 1;
  for (const value of cosines) least = Math.min(least, value);
  const share = (value) => (least < 1 ? (value - least) / (1 - least) : 1);
  context.imageSmoothingEnabled = edge < count;
  const image = picture(count, count, (row, column) => 0.06 + 0.94 * share(cosines[order[row] * count + order[column]]), HUE);
  context.drawImage(image, 0, 0, edge, edge);
  if (chosen === null) return;
  const cell = edge / count, [row, column] = chosen.map((at) => order.indexOf(at));
  context.strokeStyle = ink();
  context.lineWidth = 1.5;
  context.strokeRect(column * cell, row * cell, Math.max(3, cell), Math.max(3, cell));
};

/** The number of each layer as a line: 1-NN accuracy, the margin, and the baseline; `here` is the layer shown. */
const drawCurve = (context, width, height, layers, here, names) => {
  context.clearRect(0, 0, width, height);
  const left = 34, right = width - 10, top = 10, bottom = height - 22;
  const x = (layer) => (layers.length < 2 ? (left + right) / 2 : left + ((right - left) * layer) / (layers.length - 1));
  const y = (value) => bottom - (bottom - top) * Math.max(0, Math.min(1, value));
  context.font = "11px system-ui, sans-serif";
  context.fillStyle = context.strokeStyle = ink();
  context.globalAlpha = 0.35;
  for (const value of [0, 0.5, 1]) {
    context.beginPath();
    context.moveTo(left, y(value));
    context.lineTo(right, y(value));
    context.stroke();
  }
  context.globalAlpha = 1;
  context.textAlign = "right";
  for (const value of [0, 0.5, 1]) context.fillText(value.toFixed(1), left - 5, y(value) + 4);
  context.textAlign = "center";
  layers.forEach((_, layer) => context.fillText(layer, x(layer), height - 6));
  const line = (values, colour, dash) => {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = 2;
    context.setLineDash(dash);
    context.beginPath();
    values.forEach((value, layer) => { if (value !== null) context[layer && values[layer - 1] !== null ? "lineTo" : "moveTo"](x(layer), y(value)); });
    context.stroke();
    context.setLineDash([]);
    if (!dash.length) values.forEach((value, layer) => {
      if (value === null) return;
      context.beginPath();
      context.arc(x(layer), y(value), layer === here ? 5 : 3, 0, 2 * Math.PI);
      context.fill();
    });
  };
  line(layers.map((one) => one.senses.most_frequent_accuracy), "#8a8a8a", [5, 4]);
  line(layers.map((one) => one.senses.margin), "#d55e00", []);
  line(layers.map((one) => one.senses.one_nn_accuracy), "#0072b2", []);
};
