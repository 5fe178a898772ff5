import assert from "node:assert/strict"
import { get, Jar, postForm, postJson } from "../browser.mjs"
import { ada, basePath, configWith, origin, sessionCookie } from "../fixtures.mjs"
import { checkAda, quietly, signedIn } from "./session.mjs"

const path = `${basePath}/session`
const csrfPath = `${basePath}/csrf`

async function csrfOf(answer, jar) {
  return (await jar.take(await answer(get(csrfPath, jar.header))).json()).csrfToken
}

async function csrfTask(engine) {
  const answer = engine.answer(configWith())
  return {
    async check() {
      const jar = new Jar()
      const token = await csrfOf(answer, jar)
      assert.match(token, /^[0-9a-f]{64}$/)
      assert.equal(await csrfOf(answer, jar), token)
    },
    input: () => get(csrfPath),
    run: answer,
    accept: (response) => response.status === 200,
  }
}

/** Without a `jwt` callback, an update would change nothing. */
async function updateTask(engine) {
  const callbacks = {
    jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, name: session.name } : token),
  }
  const config = configWith({ callbacks })
  const answer = engine.answer(config)
  const { jar } = await signedIn(engine, config, { count: 1 })
  const csrfToken = await csrfOf(answer, jar)
  const { header } = jar
  const make = (name, token = csrfToken) => postJson(path, { csrfToken: token, data: { name } }, header)
  return {
    async check() {
      const response = await answer(make("Ada King"))
      const next = new Jar()
      next.take(response)
      for (const answered of [response, await answer(get(path, next.header))]) {
        const { user } = await answered.json()
        assert.deepEqual([user.name, user.email], ["Ada King", ada.email])
      }
    },
    input: () => make(ada.name),
    run: answer,
    accept: (response) => response.status === 200,
  }
}

async function signInTask(engine) {
  const answer = engine.answer(configWith())
  const jar = new Jar()
  const csrfToken = await csrfOf(answer, jar)
  const { header } = jar
  const fields = { csrfToken, callbackUrl: `${origin}/home`, email: ada.email, password: "analytical" }
  const make = (more) => postForm(`${basePath}/callback/credentials`, { ...fields, ...more }, header)
  return {
    async check() {
      const response = await answer(make())
      assert.equal(response.headers.get("location"), `${origin}/home`)
      const next = new Jar()
      next.take(response)
      checkAda(await (await answer(get(path, next.header))).json())
      await checkRefused(() => answer(make({ csrfToken: "0".repeat(64) })), "MissingCSRF")
    },
    input: () => make(),
    run: answer,
    accept: (response) => response.status === 302 && response.headers.get("location") === `${origin}/home`,
  }
}

async function checkRefused(answer, error) {
  const response = await quietly(answer)
  assert.equal(new URL(response.headers.get("location")).searchParams.get("error"), error)
  const jar = new Jar()
  jar.take(response)
  assert.ok(!jar.has(sessionCookie))
}

export const formScenarios = [
  { id: "session-update", title: "session update", target: 1.4, task: updateTask },
  { id: "csrf", title: "CSRF token, first visit", target: 1.5, task: csrfTask },
  { id: "credentials-sign-in", title: "credentials sign-in", target: 2.2, task: signInTask },
]
