import assert from "node:assert/strict"
import { headersOf } from "../browser.mjs"
import { ada, basePath, configWith, origin } from "../fixtures.mjs"
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

/** As middleware of v5 does it: a request to the session route, and the JSON of its response. The limit needs neither. */
async function routeTask(engine) {
  const config = configWith()
  const { cookie } = await signedIn(engine, config)
  const answer = engine.answer(config)
  const viaRoute = async (headers) => {
    const request = new Request(`${origin}${basePath}/session`, { headers: { cookie: headers.get("cookie") } })
    return (await answer(request)).json()
  }
  const run = engine.name === "limit" ? engine.getSession(config) : viaRoute
  return {
    check: async () => checkAda(await run(headersOf(cookie()))),
    input: () => headersOf(cookie()),
    run,
    accept: (session) => session.user.email === ada.email,
  }
}

export const getSessionScenarios = [
  { id: "get-session", title: "get the session, signed in", target: 2, task: (engine) => getSessionTask(engine) },
  { id: "get-session-anonymous", title: "get the session, anonymous", task: anonymousTask },
  { id: "get-session-route", title: "get the session by a request to the route", target: 6, task: routeTask },
]
