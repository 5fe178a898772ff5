import { configWith } from "../fixtures.mjs"
import { readTask } from "./session.mjs"
import { getSessionTask } from "./get-session.mjs"

const counts = [2, 10, 100]

/** The same work with 2, 10 and 100 providers. With 100 it may take at most a tenth longer than with 2. */
export const flatnessScenarios = [
  { id: "flat-session-read", title: "session read, 2 → 10 → 100 providers", task: readTask },
  { id: "flat-get-session", title: "get the session, 2 → 10 → 100 providers", task: getSessionTask },
].map(({ task, ...scenario }) => ({
  ...scenario,
  flatness: 1.1,
  counts,
  tasks: (engine) => Promise.all(counts.map((count) => task(engine, { config: configWith({ count }) }))),
}))
