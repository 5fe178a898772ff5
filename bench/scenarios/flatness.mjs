import { configWith } from "../fixtures.mjs"
import { readTask } from "./session.mjs"
import { whoTask } from "./who.mjs"

const counts = [1, 10, 100]

/** The same question under 1, 10 and 100 providers: the last may cost at most a tenth more than the first. */
export const flatnessScenarios = [
  { id: "flat-session-read", title: "session read, 1 → 10 → 100 providers", task: readTask },
  { id: "flat-who", title: "who is this?, 1 → 10 → 100 providers", task: whoTask },
].map(({ task, ...scenario }) => ({
  ...scenario,
  flatness: 1.1,
  counts,
  tasks: (engine) => Promise.all(counts.map((count) => task(engine, { config: configWith({ count }) }))),
}))
