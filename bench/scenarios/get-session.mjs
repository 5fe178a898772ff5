import assert from "node:assert/strict"
import { headersOf } from "../browser.mjs"
import { ada, configWith } from "../fixtures.mjs"
import { checkAda, signedIn } from "./session.mjs"

export async function getSessionTask(engine, { config = configWith() } = {}) {
  const getSession = engine.getSession(config)
  const { cookie } = await signedIn(engine, config)
  return {
    check: async () => checkAda(await getSession(headersOf(cookie()))),
    input: () => headersOf(cookie()),
    run: getSession,
    accept: (session) => session.user.email === ada.email,
  }
}

async function anonymousTask(engine) {
  const getSession = engine.getSession(configWith())
  return {
    check: async () => assert.equal(await getSession(headersOf("")), null),
    input: () => headersOf(""),
    run: getSession,
    accept: (session) => session === null,
  }
}

export const getSessionScenarios = [
  { id: "get-session", title: "get the session, signed in", target: 30, task: (engine) => getSessionTask(engine) },
  { id: "get-session-anonymous", title: "get the session, anonymous", target: 100, task: anonymousTask },
]
