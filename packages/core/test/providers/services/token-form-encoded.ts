import { isObject } from "../facts.js"
import type { Quirk } from "../service/desk.js"

/** Forms, whatever was asked for. */
export const tokenFormEncoded: Quirk = {
  token: (answer) => {
    const fields = isObject(answer.body) ? Object.entries(answer.body) : []
    return {
      ...answer,
      headers: { ...answer.headers, "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      body: new URLSearchParams(Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))).toString(),
    }
  },
}
