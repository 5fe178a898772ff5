const reactSignIn = "packages/react/test/sign-in.test.ts"
const provider = "packages/react/test/provider.test.ts"
const watch = "packages/react/test/watch.test.ts"
const update = "packages/react/test/update.test.ts"
const qwik = "tests/qwik/cases"
const proxy = "packages/next/test/middleware.test.ts"
const actions = "tests/next/cases/actions.ts"
const configurations = "tests/interop/configurations.test.ts"
const env = "packages/core/src/config/env/env.test.ts"
const methods = "packages/core/src/features/pages/signin-methods.test.ts"
const passkeys = "packages/core/test/methods/webauthn"
const passkeyAttacks = "packages/core/test/attacks"

/** Entries of docs/differences.md that need a browser or a framework, with the test that shows each. */
export const elsewhere: Readonly<Record<string, readonly [file: string, title: string]>> = {
  "json-steps": ["packages/core/test/flows/headless/steps.test.ts", "signs in"],
  "one-open-form": [methods, "one is open, and each of the others has a summary that opens it in its place"],
  "hidden-password": [methods, "a field named password is hidden, and a button that the script shows reveals it"],
  "email-button": [methods, "an email provider doesn't name the mail service"],
  "rows-per-user": [
    "packages/core/test/account/growth.test.ts",
    "a user who signs in again and again has about a hundred sessions",
  ],
  "sign-out-fails": [
    "packages/core/test/http/session-database.test.ts",
    "clears the cookie even if %s fails, and reports a session that stays in the database",
  ],
  "client-assertion": [
    "packages/core/test/attacks/oauth-token.test.ts",
    "a client assertion is valid for the issuer, for a minute, and once",
  ],
  "debug-needs-option": [
    "packages/core/test/attacks/logging.test.ts",
    "a configured `debug` function is not called without `debug: true`",
  ],
  "email-semicolon": [
    `${passkeyAttacks}/record-names.test.ts`,
    "no text that a visitor can type is, for any database, the identifier of a record",
  ],
  "session-encryption": [
    "packages/core/test/jwt/vectors.test.ts",
    "the header of a token has alg, enc and the key's thumbprint as kid",
  ],
  "account-route": [
    "packages/core/test/account/page.test.ts",
    "an application keeps its own route at the path of the account page",
  ],
  "secure-cookies": [
    "packages/core/test/attacks/secure-cookies.test.ts",
    "no request makes the cookies of a public site in production insecure",
  ],
  "csrf-binding": [
    "packages/core/test/attacks/csrf-binding.test.ts",
    "a token and cookie of another browser are refused in the browser of a user",
  ],
  "csrf-sender": ["packages/core/test/http/csrf.test.ts", "a valid token with %s is accepted: %s"],
  "credentials-text": [
    "packages/core/test/attacks/bounded-input.test.ts",
    "authorize() gets short texts only, and under strict only declared fields",
  ],
  "session-size": [
    "packages/core/test/attacks/bounded-input.test.ts",
    "a session of too many parts isn't sealed, and the error names the largest claim",
  ],
  "image-in-session": [
    "packages/core/test/attacks/bounded-input.test.ts",
    "a photo that is too large doesn't keep the user from signing in, nor fill cookies",
  ],
  "display-fields": ["packages/core/test/flows/oauth/profile.test.ts", "%j becomes %j"],
  "request-size": [
    "packages/core/test/attacks/bounded-input.test.ts",
    "too many or too long cookies get 431, and too long queries 400",
  ],
  "arrays-replace": [
    "packages/core/src/features/oauth/provider.test.ts",
    "arrays replace, and the input isn't changed",
  ],
  "update-fields": [
    "packages/core/test/attacks/session-update.test.ts",
    "the callbacks get the data of the application, without identity (${strategy})",
  ],
  "trust-host-false": [env, "%j sets trustHost to %j"],
  "node-env-unset": [env, "%j sets trustHost to %j"],
  "ignored-fields": [
    "packages/core/test/flows/oauth/provider-fields.test.ts",
    "wellKnown is the URL of the document, whatever the issuer",
  ],
  "no-client-id": [configurations, "a provider without a client id leads to the error page"],
  "duplicate-provider-page": [configurations, "of two providers with one id, the sign-in page shows the first"],
  "invalid-auth-url": [configurations, "a `url` that isn't a URL is an error on every route"],
  "exact-ids": [
    "packages/core/test/attacks/numeric-ids.test.ts",
    "two users whose numeric ids are rounded to the same number have two accounts",
  ],
  "redirect-proxy-hosts": [
    "packages/core/test/attacks/host-proxy.test.ts",
    "with `trustHost: true` no state is sealed for a host that only the request names",
  ],
  "repeated-response": [
    "packages/core/test/attacks/repeated-params.test.ts",
    "a parameter that the query has twice is refused, and the attempt stays usable",
  ],
  "required-authentication": [
    "packages/core/test/attacks/required-authentication.test.ts",
    "an ID token without auth_time, or with an old or impossible one, is refused",
  ],
  "second-audience": [
    "packages/core/test/attacks/id-token-claims.test.ts",
    "an ID token that is also for an unknown audience is refused, whatever `azp` says",
  ],
  "passkey-excluded": [
    `${passkeys}/options.test.ts`,
    "exclude the passkeys of the user who is signed in, and none for visitors",
  ],
  "passkey-checks": [
    `${passkeyAttacks}/webauthn-ceremony.test.ts`,
    "a sign-in with any fault is refused and uses up its challenge",
  ],
  "sign-out-page": [
    "packages/core/test/http/signout-page.test.ts",
    "says who is signed in, without calling the callbacks of the application",
  ],
  "resend-email": [
    "packages/core/test/flows/signin/email-again.test.ts",
    "has a form that counts the seconds since the last email, and keeps the callback URL",
  ],
  languages: [
    "packages/core/test/http/ui-locales.test.ts",
    "is absent from forms and redirects if the page doesn't have it",
  ],
  "page-script": ["packages/core/src/features/pages/script.test.ts", "is on %s, and can't send requests"],
  "passkey-script": [
    "packages/core/src/features/passkeys/view.test.ts",
    "is on the sign-in page, and the policy allows it to send requests to this site only",
  ],
  "passkey-refused-options": [
    "packages/react/test/webauthn.test.ts",
    "if the server refuses with %s, it stays on the page and the result has the error",
  ],
  "passkey-browser-errors": ["packages/react/test/webauthn.test.ts", "throws a DOMException if %s: %s"],
  "passkey-sign-up": [`${passkeys}/configuration.test.ts`, "is off under strict security"],
  "next-deep-imports": ["tests/packaging/exports.test.ts", "the types of next-auth/%s exist here"],
  "adapter-options": ["tests/adapters/options.test.ts", "the option `%s` is refused, which suggests %s"],
  "error-type-names": [
    "packages/next/test/types/next-auth.test-d.ts",
    "an error of the application has a type of its own",
  ],
  "known-names": ["packages/next/test/types/known-names.test-d.ts", "the id of a provider is known"],
  "empty-secret": ["packages/core/src/config/check/check.test.ts", "an empty secret at the front of a list"],
  "private-address": [
    "packages/core/test/flows/oauth/start.test.ts",
    "under compatible, plain http to a private IP address is refused when it's used",
  ],
  "reserved-provider-id": ["packages/core/src/config/check/check.test.ts", "an id that every object has as a member"],
  "wrong-lifetime": ["packages/core/src/config/check/check.test.ts", "a token with a lifetime of 0"],
  "own-error-codes": ["packages/core/test/http/error-page.test.ts", "gets only known codes under strict"],
  "next-matcher": ["tests/next/cases/authorized.ts", "the auth routes stay reachable"],
  "next-form-becomes-get": [proxy, "that rejects a form POST redirects with 303, so the body isn't resent"],
  "next-sign-in-query": [proxy, "redirects to a custom sign-in page, with its query, below the Next.js `basePath`"],
  "next-authorized-wrapped": [proxy, "under strict, a middleware function isn't called if `authorized` rejects"],
  "next-referer-query": ["packages/next/src/urls.test.ts", "the page that sent the form, without its query"],
  "next-sign-in-page-target": ["packages/next/src/urls.test.ts", "the `callbackUrl` of the sign-in page"],
  "next-self-redirect": [proxy, "that redirects a page to itself doesn't loop"],
  "next-outage": [proxy, "a page that `authorized` rejects gets 503, and keeps the session"],
  "next-callback-origin": [proxy, "that a trusted proxy forwards"],
  "next-relative-redirect": [proxy, "may redirect to a relative URL and to another site"],
  "next-server-results": [actions, "with `redirect: false`, `signIn` and `signOut` return the URL"],
  "next-update-failure": [actions, "`update` reaches the middleware"],
  "next-form-redirect": [actions, "a form can set `redirect` to a string"],
  "next-server-component": [
    "packages/next/test/two-instances.test.ts",
    "a second instance of a configuration gets the token that the first one refreshed",
  ],
  "next-edge": ["tests/next/intl.test.ts", "the auth routes sign in on the edge runtime"],
  "next-wrong-configuration": [
    "tests/frameworks/behaviors/failures.ts",
    "without a secret no user is signed in, the routes respond with 500",
  ],
  "qwik-without-javascript": [
    "tests/frameworks/behaviors/browser.ts",
    "without JavaScript, forms of the application sign in",
  ],
  "qwik-foreign-forms": [
    "tests/frameworks/behaviors/attacks.ts",
    "a form of another site changes nothing at any auth route",
  ],
  "qwik-credentials-code": [`${qwik}/errors.ts`, "an error of the application leads to the sign-in page with its code"],
  "qwik-base-path": ["tests/frameworks/behaviors/urls.ts", "`basePath` of the configuration moves all routes"],
  "qwik-refused-target": [
    "tests/frameworks/behaviors/access.ts",
    "the application's page shows that a password is wrong, and keeps the return target",
  ],
  "qwik-field-errors": [
    `${qwik}/swap.ts`,
    "invalid input results in the same failure, with texts in an array as the types say",
  ],
  "qwik-session-read": [
    "tests/frameworks/behaviors/session.ts",
    "HEAD responds like GET, without a body, and never renews the session",
  ],
  "react-session-prop": [provider, "takes a new session prop"],
  "react-requests": [provider, "without a session prop, it sends one request"],
  "react-refetch-tabs": ["packages/react/test/tabs.test.ts", "tabs that poll share one request per interval"],
  "react-update-status": [update, "the old session stays until the updated one arrives"],
  "react-update-early": [update, "a call while loading waits for the first read"],
  "react-update-signed-out": [update, "shows the visitor as signed out when the server returns no session"],
  "react-failed-read": [provider, "a failed read keeps the session"],
  "react-expired": [watch, "an expired session is read once and shows as signed out"],
  "react-focus": [watch, "a page that becomes visible reads the session if the last response is five seconds old"],
  "react-offline": [watch, "offline with refetchWhenOffline"],
  "react-sign-in-result": [reactSignIn, "with a wrong password, it resolves to status 401"],
  "react-server-fails": [reactSignIn, "with a redirect, a failure of %s leads to the error page"],
  "react-relative-url": [reactSignIn, "with redirectTo: %s, it goes to %s"],
  "react-foreign-target": [
    "packages/react/test/hostile-answers.test.ts",
    "without a URL from the server, redirectTo never leads to another origin",
  ],
  "react-old-error": [reactSignIn, "a second attempt from a page with an error in its URL doesn't report that error"],
  "react-auth-url": [reactSignIn, "requests go to baseUrl"],
  "react-without-provider": [provider, "useSession without a provider throws a helpful error"],
  "version4-tabs": ["tests/interop/next-auth-4/open-tab.test.ts", "signs in with a password, and out"],
  "version4-sessions": [
    "tests/interop/upgraded-sessions.test.ts",
    "continues under our cookie, and the old cookie stays for a rollback",
  ],
}
