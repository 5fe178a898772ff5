import type { LoggerInstance as EngineLogger } from "@latchkey/core/types"
import type { AuthOptions } from "./types.js"

/** Codes of version 4, by the type of the error of the engine. Any other type becomes a code in capitals. */
const codes: ReadonlyMap<string, string> = new Map([
  ["JWTSessionError", "JWT_SESSION_ERROR"],
  ["SessionTokenError", "SESSION_ERROR"],
  ["OAuthSignInError", "SIGNIN_OAUTH_ERROR"],
  ["OAuthCallbackError", "OAUTH_CALLBACK_ERROR"],
  ["OAuthProfileParseError", "OAUTH_PARSE_PROFILE_ERROR"],
  ["EmailSignInError", "SIGNIN_EMAIL_ERROR"],
  ["Verification", "CALLBACK_EMAIL_ERROR"],
  ["CallbackRouteError", "OAUTH_CALLBACK_HANDLER_ERROR"],
  ["SignOutError", "SIGNOUT_ERROR"],
  ["MissingSecret", "NO_SECRET"],
])

export function loggerFor({ logger }: AuthOptions): Partial<EngineLogger> | undefined {
  if (logger === undefined) return undefined
  return {
    ...(logger.error && { error: (error: Error) => logger.error?.(codeOf(error), error) }),
    ...(logger.warn && { warn: (code: string) => logger.warn?.(code) }),
    ...(logger.debug && { debug: (code: string, metadata: unknown) => logger.debug?.(code, metadata) }),
  }
}

function codeOf(error: Error): string {
  const type = "type" in error && typeof error.type === "string" ? error.type : error.name
  return codes.get(type) ?? type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase()
}
