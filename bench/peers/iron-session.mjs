import assert from "node:assert/strict"
import { getIronSession, sealData, unsealData } from "iron-session"
import { get, Jar } from "../browser.mjs"
import { ada, basePath, claimsOf, secret } from "../fixtures.mjs"

/* iron-session keeps a sealed object in a cookie and has no routes, so only what concerns the cookie has a counterpart. */
const options = { password: secret, cookieName: "iron-session", ttl: 30 * 86_400 }
const path = `${basePath}/session`

async function answer(request) {
  const response = new Response()
  const { name, email, picture } = await getIronSession(request, response, options)
  return Response.json(email === undefined ? null : { user: { name, email, image: picture } })
}

async function readTask() {
  const { header } = new Jar().put(options.cookieName, await sealData(claimsOf(400), options))
  return {
    async check() {
      assert.equal((await (await answer(get(path, header))).json()).user.email, ada.email)
      assert.equal(await (await answer(get(path, header.slice(0, -9)))).json(), null)
    },
    input: () => get(path, header),
    run: answer,
    accept: (response) => response.status === 200,
  }
}

const anonymousTask = () => ({
  check: async () => assert.equal(await (await answer(get(path))).json(), null),
  input: () => get(path),
  run: answer,
  accept: (response) => response.status === 200,
})

async function decodeTask() {
  const sealed = await sealData(claimsOf(400), options)
  return {
    check: async () => assert.deepEqual(await unsealData(sealed, options), claimsOf(400)),
    input: () => sealed,
    run: (token) => unsealData(token, options),
    accept: (claims) => claims.sub === ada.id,
  }
}

function encodeTask() {
  const claims = claimsOf(400)
  return {
    check: async () => assert.deepEqual(await unsealData(await sealData(claims, options), options), claims),
    input: () => claims,
    run: (given) => sealData(given, options),
    accept: (token) => token.length > 400,
  }
}

/** The counterparts of scenarios. */
export const ironSessionTasks = {
  "session-read": { task: readTask },
  "anonymous-read": { task: anonymousTask },
  "token-decode": { task: decodeTask },
  "token-encode": { task: encodeTask },
}
