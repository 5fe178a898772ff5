import assert from "node:assert/strict"
import { get, Jar, postForm } from "../browser.mjs"
import { basePath, configWith, credentials, origin, sessionCookie } from "../fixtures.mjs"
import { checkAda } from "./session.mjs"

/** The four requests of a sign-in. The time of the browser and of the provider is subtracted. */
async function flowTask(engine, world) {
  const { issuer, client, fetch, apart, authorize, aside } = world.provider
  const op = {
    id: "op",
    name: "OP",
    type: "oidc",
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    [engine.customFetch]: fetch,
  }
  const answer = engine.answer(configWith({ providers: Object.freeze([credentials, Object.freeze(op)]) }))

  async function flow() {
    const jar = apart(() => new Jar())
    const visit = apart(() => get(`${basePath}/csrf`))
    const first = await answer(visit)
    const { csrfToken } = await first.json()
    const fields = { csrfToken, callbackUrl: `${origin}/home` }
    const asked = apart(() => postForm(`${basePath}/signin/op`, fields, jar.take(first) && jar.header))
    const sent = await answer(asked)
    const back = apart(() => {
      const url = authorize(jar.take(sent).headers.get("location"))
      return get(url.slice(origin.length), jar.header)
    })
    const response = await answer(back)
    apart(() => jar.take(response))
    return { response, jar }
  }

  return {
    async check() {
      const { response, jar } = await flow()
      assert.equal(response.headers.get("location"), `${origin}/home`)
      checkAda(await (await answer(get(`${basePath}/session`, jar.header))).json())
    },
    input: () => undefined,
    run: flow,
    accept: ({ response, jar }) => response.status === 302 && jar.has(sessionCookie),
    aside,
  }
}

export const oidcScenarios = [{ id: "oidc-flow", title: "complete OIDC flow", target: 2, task: flowTask }]
