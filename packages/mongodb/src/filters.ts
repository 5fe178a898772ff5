import type { Document, Filter } from "mongodb"
import { toId } from "./documents.js"

/** `_id` can be an id that an application stored itself, so it's not always an `ObjectId`. */
export function byId(id: string): Filter<Document> {
  return { _id: toId(id) } as Filter<Document>
}

export function ofUser(userId: string): Filter<Document> {
  return { userId: toId(userId) }
}

/** Contains the condition of the partial index, without which MongoDB wouldn't use it. */
export function byEmail(email: string): Filter<Document> {
  return { email: { $eq: email, $gte: "" } }
}
