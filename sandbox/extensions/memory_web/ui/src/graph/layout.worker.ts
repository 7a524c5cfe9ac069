/** Where the nodes of a graph stand: computed here, so that the page stays quick meanwhile. */

import { forceCenter, forceCollide, forceLink, forceManyBody, forceSimulation, type SimulationNodeDatum } from "d3-force";

export interface ToPlace {
  nodes: string[];
  centre: string;
  edges: { source: string; target: string }[];
}

export type Placed = Record<string, { x: number; y: number }>;

const STEPS = 300;
const TOLD = 10; // times, of a graph that is drawn quickly
const TOLD_OF_MANY = 3;
const MANY = 500; // nodes

interface Node extends SimulationNodeDatum {
  id: string;
}

onmessage = (event: MessageEvent<ToPlace>) => {
  const { nodes, edges, centre } = event.data;
  const placed: Node[] = nodes.map((id) => (id === centre ? { id, fx: 0, fy: 0 } : { id }));
  const simulation = forceSimulation(placed)
    .force("link", forceLink<Node, { source: string; target: string }>(edges.map((edge) => ({ ...edge }))).id((node) => node.id).distance(40))
    .force("charge", forceManyBody().strength(-140).distanceMax(600))
    .force("collide", forceCollide(12))
    .force("center", forceCenter(0, 0))
    .stop();
  const pause = STEPS / (nodes.length < MANY ? TOLD : TOLD_OF_MANY);
  for (let step = 1; step <= STEPS; step += 1) {
    simulation.tick();
    if (step % pause === 0) {
      postMessage(Object.fromEntries(placed.map((node) => [node.id, { x: node.x ?? 0, y: node.y ?? 0 }])) satisfies Placed);
    }
  }
};
