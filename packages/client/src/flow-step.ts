import type { ErrorStep, FlowError, FlowResult } from "@latchkey/core/types"
import type { Answer } from "./model.js"
import { fieldOf } from "./result.js"

export type Status = Exclude<FlowResult["status"], "error">
export type StepOf<S extends Status> = Extract<FlowResult, { readonly status: S }> | ErrorStep

/** The step in a response. A response that isn't one of the expected steps, such as that of a broken proxy, is an error. */
export function stepIn<S extends Status>(answer: Answer, expected: readonly S[]): StepOf<S> {
  const { body } = answer
  const status = fieldOf(body, "status")
  const isRefusal = typeof fieldOf(fieldOf(body, "error"), "message") === "string"
  // The server sends the shape that belongs to the status. A factor that was answered wrongly comes with the status 401.
  if ((answer.ok || isRefusal) && expected.some((each) => each === status)) return body as StepOf<S>
  if (status === "error" && isRefusal) return body as ErrorStep
  return errorStep(answer.status === 0 ? unreachable : unexpected(answer.status))
}

export function errorStep(error: FlowError): ErrorStep {
  return { status: "error", error, url: "" }
}

const unreachable: FlowError = {
  code: "ClientFetchError",
  message: "The server didn't respond. Check your connection and try again.",
}

function unexpected(status: number): FlowError {
  if (status === 429) return { code: "RateLimited", message: "Too many attempts. Try again later." }
  return { code: "ClientFetchError", message: "Something went wrong. Try again later." }
}
