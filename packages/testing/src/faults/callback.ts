import type { Fault } from "./fault.js"
import type { CallbackFault, LogoutFault } from "./names.js"

function returning(change: Readonly<Record<string, string | undefined>>): Fault {
  return {
    authorize: (params) => {
      const entries = Object.entries({ ...params, ...change })
      return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined))
    },
  }
}

/** Faults of the authorization response. */
export const callbackFaults: Readonly<Record<CallbackFault, Fault>> = {
  issMismatch: returning({ iss: "https://evil.test" }),
  issWithSlash: { authorize: (params) => ({ ...params, iss: `${params["iss"] ?? ""}/` }) },
  issMissing: returning({ iss: undefined }),
  stateMissing: returning({ state: undefined }),
  stateWrong: returning({ state: "another-state" }),
  stateHuge: returning({ state: "s".repeat(100_000) }),
  codeMissing: returning({ code: undefined }),
  codeUnknown: returning({ code: "never-issued" }),
  codeHuge: returning({ code: "c".repeat(1 << 20) }),
  codeWithNewline: returning({ code: "code\r\nx-injected: 1" }),
  errorWithCode: returning({ error: "access_denied" }),
  errorMarkup: returning({ code: undefined, error: "<script>alert(1)</script>", error_description: "<img src=x>" }),
  implicitTokens: returning({ id_token: "e30.e30.", access_token: "leaked" }),
}

/** Faults of the redirect from the end-session endpoint. */
export const logoutFaults: Readonly<Record<LogoutFault, Fault>> = {
  logoutStateWrong: { endSession: () => ({ state: "another-state" }) },
  logoutStateMissing: { endSession: () => ({}) },
}
