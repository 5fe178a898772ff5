// Fails a test if one of its secrets appears in a log: of the console, of `captureLog`, or of `visit`.
import { afterEach, beforeEach, vi } from "vitest"
import { watchSecrets } from "../packages/testing/src/secrets.js"
import { leaksIn, levels, listenTo, textOf } from "./leaks.js"

const watch = watchSecrets()
listenTo(console)

beforeEach(() => watch.begin())

afterEach(() => {
  const leaks = leaksIn([...watch.texts, ...levels.flatMap(writtenToMock)], watch.secrets)
  watch.end()
  if (leaks.length > 0) throw new Error(leaks.join("\n"))
})

/** A test that mocks the console keeps what it writes in the mock. */
function writtenToMock(level: (typeof levels)[number]): readonly string[] {
  const write = console[level]
  return vi.isMockFunction(write) ? write.mock.calls.map(textOf) : []
}
