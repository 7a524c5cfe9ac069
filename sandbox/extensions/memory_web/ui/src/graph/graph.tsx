/** A neighbourhood as a picture, drawn by WebGL; the table beside it says the same. */

import Graph from "graphology";
import { useEffect, useRef, useState } from "preact/hooks";
import Sigma from "sigma";
import type { Settings } from "sigma/settings";
import type { NodeDisplayData, PartialButFor } from "sigma/types";
import { line } from "../parts/text";
import { go, to } from "../route";
import { theme } from "../settings";
import { useStore } from "../store";
import type { Neighbourhood } from "../types";
import { called, w } from "../words";
import type { Placed, ToPlace } from "./layout.worker";
import workerUrl from "./layout.worker?worker&url";

const YOU = "";
const COLOURS = ["person", "place", "organization", "project", "tool", "concept"];

interface Policy {
  createScriptURL: (url: string) => string;
}

declare global {
  interface Window {
    trustedTypes?: { createPolicy: (name: string, rules: Policy) => Policy };
  }
}

const policy: Policy = window.trustedTypes?.createPolicy("worker", { createScriptURL: (url) => url }) ?? {
  createScriptURL: (url) => url,
};

export default function NearGraph({ near }: { near: Neighbourhood }) {
  const chosen = useStore(theme);
  const box = useRef<HTMLDivElement>(null);
  const [isDrawn, drawn] = useState(true);

  useEffect(() => {
    const element = box.current!;
    const style = getComputedStyle(element);
    const colour = (name: string) => {
      element.style.color = `var(--${name})`;
      return style.color; // as the theme has it
    };
    const graph = made(near, w.memory.you, (type) => colour(`graph-${COLOURS.includes(type) ? type : "concept"}`), (name) => called(w.predicate, name));
    let drawing: Sigma;
    try {
      drawing = new Sigma(graph, element, {
        labelColor: { color: colour("ink") },
        labelFont: style.fontFamily,
        labelSize: 13,
        labelRenderedSizeThreshold: near.entities.length < 60 ? 0 : 8,
        defaultDrawNodeLabel: drawLabel,
        labelDensity: near.entities.length < 60 ? 4 : 1,
        labelGridCellSize: 60,
        stagePadding: 56,
        allowInvalidContainer: true, // it may be drawn once more while it goes
        edgeLabelColor: { color: colour("ink-soft") },
        edgeLabelFont: style.fontFamily,
        edgeLabelSize: 11,
        renderEdgeLabels: near.edges.length < 60,
        defaultEdgeColor: colour("line-strong"),
        defaultDrawNodeHover: () => undefined,
      });
    } catch {
      drawn(false);
      return;
    }
    drawing.on("clickNode", ({ node }) => node !== YOU && go(to("people", node)));
    drawing.on("enterNode", () => (element.style.cursor = "pointer"));
    drawing.on("leaveNode", () => (element.style.cursor = ""));
    const worker = new Worker(policy.createScriptURL(workerUrl), { type: "module" });
    worker.onmessage = (event: MessageEvent<Placed>) => {
      graph.updateEachNodeAttributes((id, attributes) => ({ ...attributes, ...event.data[id] }), { attributes: ["x", "y"] });
    };
    worker.postMessage({
      nodes: graph.nodes(),
      centre: near.centre,
      edges: near.edges.map(({ source, target }) => ({ source, target })),
    } satisfies ToPlace);
    return () => {
      worker.terminate();
      drawing.kill();
    };
  }, [near, chosen, w]);

  if (!isDrawn) return <p class="hint">{w.people.noGraph}</p>;
  return <div ref={box} class="graph" role="img" aria-label={`${w.people.graph}: ${near.entities.map((each) => line(each.name, 40)).slice(0, 30).join(", ")}`} />;
}

/** Write a name beside its node, away from the centre, or towards it where it would be cut off. */
function drawLabel(context: CanvasRenderingContext2D, node: PartialButFor<NodeDisplayData, "x" | "y" | "size" | "label" | "color">, settings: Settings): void {
  if (!node.label) return;
  context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
  context.fillStyle = settings.labelColor.color ?? node.color;
  const apart = node.size + 3;
  const width = context.measureText(node.label).width;
  const whole = context.canvas.clientWidth;
  const isRight = node.x < whole / 2 ? node.x - apart - width < 0 : node.x + apart + width <= whole;
  context.fillText(node.label, isRight ? node.x + apart : node.x - apart - width, node.y + settings.labelSize / 3);
}

function made(near: Neighbourhood, you: string, colour: (type: string) => string, called: (predicate: string) => string): Graph {
  const graph = new Graph({ multi: true, type: "directed" });
  const degrees = new Map<string, number>();
  for (const edge of near.edges) {
    for (const end of [edge.source, edge.target]) degrees.set(end, (degrees.get(end) ?? 0) + 1);
  }
  const all = degrees.has(YOU) ? [...near.entities, { id: YOU, name: you, type: "person" }] : near.entities;
  const small = all.length > 500 ? 2 : all.length > 100 ? 4 : 6;
  all.forEach((each, index) => {
    const angle = (2 * Math.PI * index) / all.length;
    graph.addNode(each.id, {
      label: line(each.name, 40),
      x: each.id === near.centre ? 0 : Math.cos(angle),
      y: each.id === near.centre ? 0 : Math.sin(angle),
      size: each.id === near.centre ? 2 * small : small + Math.min(small, Math.sqrt(degrees.get(each.id) ?? 1)),
      color: colour(each.type),
    });
  });
  for (const edge of near.edges) {
    if (!graph.hasNode(edge.source) || !graph.hasNode(edge.target)) continue;
    graph.addEdge(edge.source, edge.target, {
      label: edge.predicate ? line(edge.is_affirmed ? called(edge.predicate) : `${w.memory.not} ${called(edge.predicate)}`, 40) : "",
      type: edge.predicate ? "arrow" : "line",
      size: edge.predicate ? 2 : 1,
    });
  }
  return graph;
}
