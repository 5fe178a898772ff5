import type { Quirk } from "../service/desk.js"

/** The callback is a form that the service's page posts across sites (OAuth 2.0 Form Post Response Mode). */
export const callbackFormPost: Quirk = {
  callback: (answer) => {
    if (answer.method === "POST") return answer
    const url = new URL(answer.location)
    return { method: "POST", action: url.origin + url.pathname, fields: Object.fromEntries(url.searchParams) }
  },
}
