import { isObject, type Json } from "../facts.js"
import type { Wire } from "./desk.js"

/** The answer with other fields; `undefined` takes one away. */
export function changed(answer: Wire, fields: Json): Wire {
  return { ...answer, body: { ...(isObject(answer.body) ? answer.body : {}), ...fields } }
}

export function fieldOf({ body }: Wire, name: string): unknown {
  return isObject(body) ? body[name] : undefined
}
