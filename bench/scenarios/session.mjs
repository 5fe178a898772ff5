import assert from "node:assert/strict"
import { get, headersOf, Jar, putToken } from "../browser.mjs"
import { ada, basePath, claimsOf, configWith, secret, sessionCookie } from "../fixtures.mjs"
import { inFlight } from "../measure.mjs"
import { earlier } from "../peers/engine.mjs"

const path = `${basePath}/session`
const day = 86_400_000
const sealed = { secret, salt: sessionCookie }

/**
 * The requests use different tokens in turn. With a single token, an engine that caches the last result would win without
 * decrypting anything. On a real server, consecutive requests rarely come from the same user.
 */
const tokenCount = 256

/** @returns {() => any} the values in a cycle */
function cycle(values) {
  let at = 0
  return () => values[at++ % values.length]
}

/** Browsers with the cookies of a signed-in user: CSRF token, callback URL, session token. */
export async function signedIn(engine, config, { bytes = 400, age = 0, count = tokenCount } = {}) {
  const first = await engine.answer(config)(get(`${basePath}/csrf`))
  const make = () => tokensOf(engine, bytes, count)
  const tokens = await (age === 0 ? make() : earlier(age, make))
  const jars = tokens.map((token) => {
    const jar = new Jar()
    jar.take(first)
    return { jar, token, parts: putToken(jar, sessionCookie, token) }
  })
  return { ...jars[0], cookie: cycle(jars.map(({ jar }) => jar.header)) }
}

/** All different, because `jti` and the initialization vector are random. */
async function tokensOf(engine, bytes, count) {
  const token = claimsOf(bytes)
  const tokens = []
  while (tokens.length < count) tokens.push(await engine.encode({ ...sealed, token, maxAge: 30 * 86_400 }))
  return tokens
}

export function checkAda(session) {
  assert.deepEqual(session?.user, { name: ada.name, email: ada.email, image: ada.image })
  assert.ok(Date.parse(session.expires) > Date.now())
}

/** Hides the errors that engines log for requests that must fail. */
export async function quietly(work) {
  const { error } = console
  console.error = () => {}
  try {
    return await work()
  } finally {
    console.error = error
  }
}

/** A token with one changed character must not be accepted. */
async function checkForged(answer, token) {
  const middle = token.length >> 1
  const other = token[middle] === "A" ? "B" : "A"
  const jar = new Jar()
  putToken(jar, sessionCookie, token.slice(0, middle) + other + token.slice(middle + 1))
  const response = await quietly(() => answer(get(path, jar.header)))
  assert.equal(await response.json(), null)
}

/** A session that is due for renewal comes back with a new cookie, which must be valid. */
async function checkRenewed(engine, answer, response) {
  const jar = new Jar()
  jar.take(response)
  checkAda(await (await answer(get(path, jar.header))).json())
  const renewed = new RegExp(`${sessionCookie}=([^;]+)`).exec(jar.header)?.[1]
  assert.ok((await engine.decode({ ...sealed, token: renewed })).iat * 1000 > Date.now() - day)
}

export async function readTask(engine, { config = configWith(), parts = 1, due = false, bytes = 400 } = {}) {
  const answer = engine.answer(config)
  const visitor = await signedIn(engine, config, { bytes, age: due ? 2 * day : 0 })
  assert.equal(visitor.parts, parts)
  return {
    async check() {
      const response = await answer(get(path, visitor.cookie()))
      assert.equal(response.status, 200)
      if (due) await checkRenewed(engine, answer, response)
      checkAda(await response.json())
      await checkForged(answer, visitor.token)
    },
    input: () => get(path, visitor.cookie()),
    run: answer,
    accept: (response) => response.status === 200,
  }
}

async function anonymousTask(engine) {
  const answer = engine.answer(configWith())
  return {
    check: async () => assert.equal(await (await answer(get(path))).json(), null),
    input: () => get(path),
    run: answer,
    accept: (response) => response.status === 200,
  }
}

async function decodeTask(engine) {
  const claims = claimsOf(400)
  const next = cycle(await tokensOf(engine, 400, tokenCount))
  return {
    async check() {
      const token = next()
      const { iat, exp, jti, ...rest } = await engine.decode({ ...sealed, token })
      assert.deepEqual(rest, claims)
      assert.deepEqual([exp - iat, typeof jti], [30 * 86_400, "string"])
      await assert.rejects(async () => engine.decode({ ...sealed, secret: `${secret}?`, token }))
    },
    input: () => ({ ...sealed, token: next() }),
    run: engine.decode,
    accept: (payload) => payload.sub === ada.id,
  }
}

async function encodeTask(engine) {
  const token = claimsOf(400)
  const input = { ...sealed, token, maxAge: 30 * 86_400 }
  return {
    async check() {
      const { iat, exp, jti, ...rest } = await engine.decode({ ...sealed, token: await engine.encode(input) })
      assert.deepEqual(rest, token)
      assert.deepEqual([exp - iat, typeof jti], [30 * 86_400, "string"])
    },
    input: () => input,
    run: engine.encode,
    accept: (made) => made.length > 400,
  }
}

async function getTokenTask(engine) {
  const { cookie } = await signedIn(engine, configWith())
  const paramsFor = (header) => ({ req: { headers: headersOf(header) }, secret, secureCookie: true })
  return {
    async check() {
      assert.equal((await engine.getToken(paramsFor(cookie()))).email, ada.email)
      assert.equal(await engine.getToken(paramsFor("")), null)
    },
    input: () => paramsFor(cookie()),
    run: engine.getToken,
    accept: (claims) => claims.sub === ada.id,
  }
}

export const sessionScenarios = [
  {
    id: "session-read",
    title: "session read, 400 B of claims, no renewal",
    target: 1.3,
    task: (engine) => readTask(engine),
  },
  {
    id: "session-due",
    title: "session read with renewal",
    target: 1.4,
    task: (engine) => readTask(engine, { due: true }),
  },
  {
    id: "session-chunks",
    title: "session read, 6 KB in three chunks",
    target: 1.3,
    task: (engine) => readTask(engine, { bytes: 6000, parts: 3 }),
  },
  {
    id: "session-read-32",
    title: "32 session reads in flight",
    target: 1.3,
    task: async (engine) => inFlight(await readTask(engine), 32),
  },
  { id: "token-decode", title: "token decode", target: 1.2, task: decodeTask },
  { id: "token-encode", title: "token encode", target: 1.2, task: encodeTask },
  { id: "get-token", title: "getToken", target: 1.2, task: getTokenTask },
  { id: "anonymous-read", title: "anonymous session read", target: 1.4, task: anonymousTask },
]
