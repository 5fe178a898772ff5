import type { Hole } from "./hole.js"

const values = "packages/core/test/attacks/logging-values.test.ts"

/** Secrets don't reach a log or a page. */
export const holes: readonly Hole[] = [
  {
    name: "errors of other code are logged with the secrets that they quote",
    file: "src/observability/logger.ts",
    replace: "return (text) => withoutLookalikes(blanked(text, indexes()))",
    with: "return withoutLookalikes",
    breaks: "secret-not-logged",
    test: {
      file: values,
      title: "an adapter that quotes the row of an account does not bring its tokens into the log",
    },
  },
  {
    name: "the logger doesn't know the secrets of the request",
    file: "src/observability/in-flight.ts",
    replace: "logger: auth.logger.forRequest(request)",
    with: "logger: auth.logger",
    breaks: "secret-not-logged",
    test: {
      file: values,
      title: "authorize that quotes the password does not bring it into the log",
    },
  },
  {
    name: "an adapter that fails may quote its arguments",
    file: "src/config/wrap-adapter.ts",
    replace: "throw mayQuote(toAdapterError(cause, name), secrets)",
    with: "throw toAdapterError(cause, name)",
    test: {
      file: values,
      title: "a driver that quotes the row of a session does not bring its token into the log",
    },
  },
  {
    name: "a handler of an event may quote its message",
    file: "src/observability/events.ts",
    replace: "logger.error(mayQuote(error, () => [...secretsQuotedBy(message), ...namedSecrets(message)]))",
    with: "logger.error(error)",
    test: {
      file: values,
      title: "a handler of an event that quotes the account does not bring its tokens into the log",
    },
  },
  {
    name: "the event of a failed sign-in has the password and the cookies",
    file: "src/http/failure-message.ts",
    replace: "withoutSecrets(request))",
    with: "request)",
    test: {
      file: values,
      title: "the event of a failed sign-in has neither the password nor a cookie",
    },
  },
  {
    name: "the log has the code that was sent by email",
    file: "src/features/email/email.ts",
    replace: "keepSecret(incoming, token, code, row.token, url)",
    with: "keepSecret(incoming, token, row.token, url)",
    test: { file: values, title: "the code from an email does not come into the log" },
  },
]
