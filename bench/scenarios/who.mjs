import assert from "node:assert/strict"
import { headersOf } from "../browser.mjs"
import { ada, configWith } from "../fixtures.mjs"
import { checkAda, signedIn } from "./session.mjs"

export async function whoTask(engine, { config = configWith() } = {}) {
  const who = engine.who(config)
  const { cookie } = await signedIn(engine, config)
  return {
    check: async () => checkAda(await who(headersOf(cookie()))),
    input: () => headersOf(cookie()),
    run: who,
    accept: (session) => session.user.email === ada.email,
  }
}

async function anonymousTask(engine) {
  const who = engine.who(configWith())
  return {
    check: async () => assert.equal(await who(headersOf("")), null),
    input: () => headersOf(""),
    run: who,
    accept: (session) => session === null,
  }
}

export const whoScenarios = [
  { id: "who-signed-in", title: "who is this? signed in", target: 30, task: (engine) => whoTask(engine) },
  { id: "who-anonymous", title: "who is this? anonymous", target: 100, task: anonymousTask },
]
