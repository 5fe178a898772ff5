import { browserHeaders, origin } from "./fixtures.mjs"

/** The cookies of one browser. */
export class Jar {
  #cookies = new Map()

  /** @param {Response} response */
  take(response) {
    for (const line of response.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(";")
      const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]
      const isDeleted = value === "" || attributes.some((attribute) => /^ *max-age=0$/i.test(attribute))
      if (isDeleted) this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return response
  }

  put(name, value) {
    this.#cookies.set(name, value)
    return this
  }

  has(name) {
    return this.#cookies.has(name)
  }

  get header() {
    return Array.from(this.#cookies, ([name, value]) => `${name}=${value}`).join("; ")
  }
}

/**
 * Splits a long token into several cookies, as docs/specification/cookies.md describes.
 * @param {Jar} jar
 * @returns the number of cookies
 */
export function putToken(jar, name, token, longest = 3936) {
  const parts = Math.ceil(token.length / longest)
  if (parts === 1) jar.put(name, token)
  else
    for (let part = 0; part < parts; part++)
      jar.put(`${name}.${part}`, token.slice(part * longest, (part + 1) * longest))
  return parts
}

/** @param {string} cookie the value of the header; empty for no header */
export function headersOf(cookie, more = {}) {
  return new Headers({ ...browserHeaders, ...(cookie === "" ? {} : { cookie }), ...more })
}

/** @returns {Request} */
export function get(path, cookie = "") {
  return new Request(`${origin}${path}`, { headers: headersOf(cookie) })
}

/** @returns {Request} */
export function postForm(path, fields, cookie) {
  const headers = headersOf(cookie, { "content-type": "application/x-www-form-urlencoded", origin })
  return new Request(`${origin}${path}`, { method: "POST", headers, body: new URLSearchParams(fields).toString() })
}

/** @returns {Request} */
export function postJson(path, body, cookie) {
  const headers = headersOf(cookie, { "content-type": "application/json", origin })
  return new Request(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
}
