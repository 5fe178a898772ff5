import {
  asksFor,
  checksOf,
  areBothUnusable,
  atOrigin,
  emailOf,
  errorsOf,
  expectsIdToken,
  hasId,
  hasLostCookie,
  hasSpellings,
  isCallback,
  isDropped,
  isEarlier,
  isOwnWarning,
  isPasskey,
  isPasskeyWarning,
  isRefused,
  isRoute,
  isSameInstant,
  json,
  names,
  providerOf,
  returned,
  returnsFromSignIn,
  signsInWithPassword,
  sorted,
  strategyOf,
  targetsBefore,
  unusable,
  updateAgeOf,
  without,
  withoutChallenge,
  writes,
} from "./conditions.js"
import { any, at, type Entries, whole } from "./entries.js"

const urlsFromSignIn = ["yes", "/waitlist", "/a?b=c#d", "https://other.test/plans"]

/** How the runner recognizes each entry of docs/differences.md. The keys are the ids on the page. */
export const matchers: Entries = {
  // Routes
  head: at(/./, ({ request }) => request.startsWith("HEAD ")),
  "wrong-method": at(
    /./,
    ({ observed, request }) =>
      observed.ours.status === 405 || (request.startsWith("PUT ") && observed.ours.status === 500),
  ),
  "unknown-path": at(/./, (context) => {
    const { theirs, ours } = context.observed
    const isRefused = theirs.status === 400 || theirs.location?.includes("error") === true || theirs.status === 500
    return isRefused && (ours.status === 404 || ours.status === 500) && !isRoute(context)
  }),
  "sign-in-page-of-provider": whole(
    (context) => context.request.startsWith("GET /signin/") && errorsOf(context).theirs === "UnknownAction",
  ),
  "unreadable-body": at(
    /./,
    ({ step, observed }) => step.do === "post" && step.body === "text" && observed.ours.status === 415,
  ),
  "broken-callback-url": any(
    at(
      /^(?:location|args\.)/,
      ({ earlier }, { theirs, ours }) =>
        earlier.some((step) => step.do === "tamper" && step.role === "callback-url" && step.how === "change") &&
        String(ours)
          .replaceAll("%2F", "/")
          .startsWith(String(theirs).replaceAll("%2F", "/").split("&token=")[0] ?? ""),
    ),
    whole((context) => ["InvalidCallbackUrl", "TypeError"].includes(errorsOf(context).theirs)),
    at(/^requests$/, ({ step }) => step.do === "submit" && /callbackUrl=(?:not|javascript)/.test(step.page)),
    at(
      /^(?:location|args\.)/,
      // next-auth sends it as it is, relative to the route.
      (_, { theirs, ours }) => /not%(?:25)?20a%(?:25)?20url/.test(String(ours)) && !/(?<!\/)not%/.test(String(theirs)),
    ),
    at(
      /^args\./,
      (_, { theirs, ours }) => String(theirs).includes("javascript%3A") && !String(ours).includes("javascript"),
    ),
  ),
  "double-slash": at(
    /^(?:location|held\.callback-url|args\.)/,
    (_, { theirs, ours }) => /(?:\/|%2F){2}evil\.test/.test(String(theirs)) && !String(ours).includes("evil.test"),
  ),

  // Pages
  "absolute-pages": whole(
    ({ plan, observed: { theirs, ours } }) =>
      theirs.status === 500 &&
      plan.pages?.["signIn"] !== undefined &&
      ours.location?.startsWith(plan.pages["signIn"]) === true,
  ),
  "page-with-query": at(/^location$/, ({ plan, observed }, { ours }) => {
    const mended = observed.theirs.location
      ?.replace(/%3F(error|code)%3D/, "&$1=")
      .replace(/%26(error|code)%3D/, "&$1=")
      .replace(/%3F([^?&]*)\?/, "?$1&")
      .replace(/^https?:\/\/[^/]*?\/?https:?\/\//, "https://")
    return Object.values(plan.pages ?? {}).some((page) => /\?|^https/.test(page)) && sorted(mended) === sorted(ours)
  }),
  "error-page-status": at(
    /^status$/,
    ({ observed: { theirs, ours }, request }) =>
      request === "GET /error" && theirs.status === 200 && ours.status === 400,
  ),
  "error-page-cause": at(
    /^status$/,
    ({ observed: { theirs, ours }, request, earlier }) =>
      request === "GET /error" && theirs.status === 500 && [400, 503].includes(ours.status) && earlier.length > 0,
  ),
  "error-page-without-code": at(
    /^location$/,
    ({ request }, { theirs, ours }) =>
      request === "GET /error" && without(theirs, "error") === ours && String(theirs).includes("error=undefined"),
  ),
  "empty-session": at(
    /^(?:body|status)$/,
    ({ request, plan, observed }) =>
      /\/(?:session|page)$/.test(request) && plan.callbacks.session === "undefined" && observed.ours.body === null,
  ),
  "verify-request-error": any(
    at(/^body\.hasError$/, ({ request }) => request === "GET /verify-request"),
    at(/^location$/, ({ request }, { theirs, ours }) => {
      if (request !== "GET /verify-request" || !URL.canParse(String(theirs))) return false
      const url = new URL(String(theirs))
      url.searchParams.delete("callbackUrl")
      return url.href === ours
    }),
  ),
  "unusable-page": any(
    at(/^(?:body|status$|location$)/, areBothUnusable),
    at(/^body\.theme$/, ({ request, observed }) => request === "GET /error" && observed.theirs.status === 500),
  ),
  "target-in-form": any(
    at(/^(?:location|args\.provider\..*url)$/, ({ step, plan, earlier }, { theirs, ours }) => {
      const form = step.do === "submit" ? step : earlier.findLast((each) => each.do === "submit")
      if (form === undefined || plan.cookies?.callbackUrl === undefined) return false
      const target = new URL(form.page, plan.origin).searchParams.get("callbackUrl")
      if (target === null || !URL.canParse(target, plan.origin)) return false
      return atOrigin(ours, new URL(target, plan.origin).href, plan) === atOrigin(theirs, plan.origin, plan)
    }),
    // `authorize` gets all fields of the form.
    at(
      /^args\..*\.callbackUrl$/,
      ({ step }, { theirs, ours }) => step.do === "submit" && theirs === undefined && typeof ours === "string",
    ),
  ),

  // Cookies
  "lazy-cookies": any(
    at(
      /^cookies\.(?:csrf|callback-url)$/,
      (_, { theirs, ours }) => json(theirs ?? ours).includes('"set"') && (theirs === undefined || ours === undefined),
    ),
    at(/^held\.callback-url$/),
  ),
  "callback-url-kept": any(
    at(/^cookies\.callback-url/, ({ observed }) => observed.ours.cookies["callback-url"]?.effect === "cleared"),
    at(/^(?:location|args\.provider\..*url)$/, (context, { theirs, ours }) => {
      const { plan } = context
      const before = targetsBefore(context)
      return before.some((target) =>
        [plan.origin, ...before].some((other) => atOrigin(theirs, target, plan) === atOrigin(ours, other, plan)),
      )
    }),
  ),
  "callback-url-after-refusal": at(/^(?:location|args\.provider\..*url)$/, (context, { theirs, ours }) => {
    const { plan } = context
    return targetsBefore(context).some((target) => atOrigin(ours, target, plan) === atOrigin(theirs, plan.origin, plan))
  }),
  "form-referer": at(/^(?:location|args\.provider\..*url)$/, (context, { theirs, ours }) => {
    const { plan } = context
    const targets = [plan.origin, ...targetsBefore(context)]
    return targets.some(
      (target) => atOrigin(theirs, target, plan) === atOrigin(ours, `${plan.origin}/page?tab=2`, plan),
    )
  }),
  "callback-url-lifetime": at(
    /^cookies\.callback-url\.attributes\.lifetime$/,
    (_, { theirs, ours }) => theirs === undefined && ours === "now+3600s",
  ),
  "csrf-after-sign-in": at(/^cookies\.csrf/, ({ observed }) => observed.ours.cookies["csrf"]?.effect === "cleared"),
  "flow-cookies": any(
    at(/^cookies\.(?:pkce|state|nonce)|^cookies\.challenge\.attributes\.lifetime$/),
    whole(
      (context) =>
        context.step.do === "return" &&
        errorsOf(context).theirs === "InvalidCheck" &&
        errorsOf(context).ours !== "InvalidCheck" &&
        hasLostCookie(context),
    ),
  ),
  "known-device": at(/^cookies\.(?:__Host-)?authjs\.device/, (_, { theirs }) => theirs === undefined),
  "kept-attempt": at(/^cookies\.(?:__Host-)?authjs\.attempt/, (_, { theirs }) => theirs === undefined),
  "last-used-method": at(/^cookies\.(?:__Host-)?authjs\.last-used/, (_, { theirs }) => theirs === undefined),
  "session-cookie-when-due": any(
    at(
      /^cookies\.session$/,
      ({ observed }, { theirs, ours }) =>
        ours === undefined &&
        json(theirs).includes('"set"') &&
        json(observed.theirs.held["session"]) === json(observed.ours.held["session"]),
    ),
    at(/(?:^|\.)exp(?:ires)?$/, ({ plan }, { theirs, ours }) => isEarlier(ours, theirs, updateAgeOf(plan))),
    // `getSession` of Express can't set a cookie.
    at(
      /(?:^|\.)expires$/,
      ({ step, plan }, { theirs, ours }) =>
        step.do === "auth" && plan.framework === "express" && isEarlier(ours, theirs, Number.POSITIVE_INFINITY),
    ),
    at(
      /^calls\.adapter$/,
      ({ earlier, plan }, { theirs, ours }) =>
        plan.session?.updateAge === 0 &&
        isSameInstant(earlier) &&
        json(writes(theirs)) === json([...writes(ours), "updateSession"]),
    ),
  ),
  "session-expires": at(
    /(?:^|\.)expires$/,
    ({ plan, observed }, { theirs, ours }) =>
      strategyOf(plan) === "database" &&
      observed.ours.calls.some(({ name }) => name === "updateSession") &&
      isEarlier(theirs, ours, Number.POSITIVE_INFINITY),
  ),

  // Sessions
  "sign-in-replaces-session": whole((context) => {
    const { theirs, ours } = context.observed
    const added = ["createSession", "deleteSession"]
    const callsOf = (side: typeof theirs) => {
      const calls = side.calls.filter(({ kind }) => kind === "adapter").map(({ name }) => name)
      return isPasskey(context) ? withoutChallenge(calls) : calls
    }
    const kept = writes(callsOf(ours)).filter((name) => !added.includes(name))
    return (
      isCallback(context) &&
      writes(callsOf(ours)).includes("deleteSession") &&
      json(kept) === json(writes(callsOf(theirs)).filter((name) => !added.includes(name)))
    )
  }),
  "outage-keeps-session": whole(
    ({ observed: { theirs, ours } }) =>
      (theirs.errors[0] === "JWTSessionError" || theirs.errors[0] === "SessionTokenError") &&
      (theirs.cookies["session"]?.effect === "cleared" || ours.status === 503) &&
      ours.cookies["session"] === undefined,
  ),
  "session-token-hidden": at(
    /^(?:body|args\.(?:callback|event)\.session.*)\.sessionToken$/,
    ({ plan }, { theirs, ours }) => strategyOf(plan) === "database" && theirs === "<random>" && ours === undefined,
  ),
  "session-callback-trigger": at(
    /^args\.callback\.session\.(?:0\.)?(?:trigger|newSession)/,
    ({ plan, request }) => strategyOf(plan) === "jwt" && request === "POST /session",
  ),

  "update-without-data": at(
    /^args\.callback\.(?:jwt\.(?:0\.)?session|session\.(?:0\.)?newSession)$/,
    (_, { theirs, ours }) => theirs === null && ours === undefined,
  ),

  // Sign-in
  "default-checks": any(
    at(
      /^location$/,
      (context, { theirs, ours }) =>
        context.request.startsWith("POST /signin/") &&
        typeof ours === "string" &&
        without(theirs, "state", "nonce", "scope") === without(ours, "state", "nonce", "scope"),
    ),
    whole((context) => returned(context, "wrong state") && errorsOf(context).ours === "InvalidCheck"),
  ),
  "late-callback": any(
    at(/^(?:location|errors)$/, (context) => {
      const failures = ["CallbackRouteError", "OAuthCallbackError", "InvalidCheck"]
      const { theirs, ours } = errorsOf(context)
      return isCallback(context) && context.step.do === "get" && failures.includes(theirs) && failures.includes(ours)
    }),
    at(
      /^location$/,
      (_, { theirs, ours }) => without(ours, "code") === without(theirs) && String(ours).includes("code=InvalidCheck"),
    ),
    whole(
      (context) =>
        isCallback(context) &&
        errorsOf(context).ours === "InvalidCheck" &&
        ["CallbackRouteError", "OAuthCallbackError", "InvalidCheck"].includes(errorsOf(context).theirs),
    ),
    whole((context) => returned(context, "replay") && errorsOf(context).ours === "InvalidCheck"),
  ),
  "id-token-checked": whole(
    (context) =>
      returned(context, "badSignature", "replay") &&
      providerOf(context)?.type === "oidc" &&
      ["OAuthCallbackError", "CallbackRouteError"].includes(errorsOf(context).ours),
  ),
  "oauth2-id-token": whole(
    (context) =>
      isCallback(context) && errorsOf(context).theirs === "CallbackRouteError" && expectsIdToken(providerOf(context)),
  ),
  "oauth2-default-scope": at(
    /^location$/,
    (context, { theirs, ours }) =>
      providerOf(context)?.type === "oauth" && without(theirs, "scope", "state") === without(ours, "scope", "state"),
  ),
  "userinfo-fails": whole(
    (context) =>
      returned(context, "userinfo500", "replay") &&
      providerOf(context)?.type === "oauth" &&
      errorsOf(context).ours === "OAuthCallbackError",
  ),
  "form-post": any(
    whole((context) => context.request.startsWith("POST /callback/") && errorsOf(context).theirs === "InvalidCheck"),
    at(/^location$/, ({ request, plan }, { theirs, ours }) => {
      const target = new URL(String(ours), plan.origin)
      const forgotten = new URL(String(theirs), plan.origin)
      const isOwnPage = without(theirs, "callbackUrl") === without(ours, "callbackUrl")
      return (
        request.startsWith("POST /callback/") &&
        (isOwnPage || forgotten.href === `${plan.origin}/`) &&
        target.href !== forgotten.href
      )
    }),
  ),
  "profile-without-id": whole((context) => {
    const provider = providerOf(context)
    if (provider === undefined || !("profile" in provider) || !isCallback(context)) return false
    return provider.profile !== undefined && "returns" in provider.profile && !hasId(provider.profile.returns)
  }),
  "email-linking-denied": whole((context) => {
    const provider = providerOf(context)
    const isLinking = provider !== undefined && "allowDangerousEmailAccountLinking" in provider
    return returned(context, "mallory") && isLinking && errorsOf(context).ours === "OAuthAccountNotLinked"
  }),
  "unchecked-linking": whole((context) => {
    const { theirs, ours } = errorsOf(context)
    return checksOf(providerOf(context)).includes("none") && ours === "OAuthAccountNotLinked" && theirs === ""
  }),
  "protocol-params": at(
    /^location$/,
    ({ step }, { theirs, ours }) =>
      step.do === "post" &&
      step.path.includes("claims=x") &&
      without(theirs, "claims", "prompt", "state", "nonce") === without(ours, "claims", "prompt", "state", "nonce"),
  ),
  "profile-throws": whole((context) => isCallback(context) && errorsOf(context).theirs === "OAuthProfileParseError"),
  "cached-discovery": whole(
    (context) => returned(context, "discoveryServerError") && errorsOf(context).theirs === "CallbackRouteError",
  ),
  "email-link-elsewhere": whole(
    ({ request, observed }) =>
      request.startsWith("GET /callback/") && json(observed.ours.body).includes("confirm-email"),
  ),
  "email-link-without-token": at(
    /^(?:location|errors|calls\.adapter)$/,
    (context) =>
      isCallback(context) &&
      providerOf(context)?.type === "email" &&
      ["CallbackRouteError", "Verification"].includes(errorsOf(context).theirs) &&
      errorsOf(context).ours === "Verification",
  ),
  "email-link-restored": at(
    /^calls\.adapter$/,
    (context, { ours }) =>
      isCallback(context) &&
      writes(ours).at(-1) === "createVerificationToken" &&
      context.observed.ours.errors.length > 0,
  ),
  "email-token-first": at(
    /^order$/,
    (_, { theirs, ours }) => json(names(theirs).toSorted()) === json(names(ours).toSorted()),
  ),
  "email-not-sent": whole((context) => {
    const provider = providerOf(context)
    const { ours } = context.observed
    return provider?.type === "email" && provider.fails === true && ours.errors.includes("EmailSignInError")
  }),
  "email-refused": whole(
    (context) =>
      context.request.startsWith("POST /signin/") &&
      context.observed.ours.errors.includes("EmailSignInError") &&
      isRefused(emailOf(context)),
  ),
  "email-spellings": whole(
    (context) => /^POST \/signin|^\w+ \/callback/.test(context.request) && hasSpellings(emailOf(context), context),
  ),
  "profile-email": any(
    whole((context) => isCallback(context) && isDropped(emailOf(context))),
    at(/(?:^|\.)email$/, (_, { theirs, ours }) => isDropped(theirs) && (ours === undefined || ours === null)),
  ),
  "credentials-with-database": whole(
    (context) =>
      strategyOf(context.plan) === "database" &&
      context.request.startsWith("POST /callback/") &&
      providerOf(context)?.type === "credentials",
  ),
  "email-verified": at(
    /emailVerified$/,
    (_, { theirs, ours }) => theirs === null && /^now[+-]\d+s$/.test(String(ours)),
  ),
  "account-user-id": at(
    /^args\.(?:event\.(?:linkAccount|signIn)|callback\.jwt(?:\.0)?)\.account\.userId$/,
    (_, { theirs, ours }) => (theirs === undefined || theirs === "<random>") && /^user-\d+$/.test(String(ours)),
  ),
  "user-without-id": {
    ...at(
      /(?:^|\.)(?:id|sub|providerAccountId)$/,
      ({ plan }, { theirs, ours }) =>
        plan.providers.some(({ type }) => type === "credentials") && theirs === "" && ours === "<random>",
    ),
    ends: true,
  },
  "profile-fetch": at(
    /^args\.provider\.profile/,
    (_, { theirs, ours }) => json(theirs).slice(0, -1) + ',{"fetch":"<function>"}]' === json(ours),
  ),
  "link-isnt-create": any(
    at(
      /^calls\.event$/,
      (_, { theirs, ours }) =>
        names(ours).includes("linkAccount") &&
        json(names(theirs).filter((name) => name !== "createUser")) === json(ours),
    ),
    at(
      /^errors$/,
      ({ plan, observed }, { theirs, ours }) =>
        plan.failingEvents?.includes("createUser") === true &&
        observed.ours.calls.every(({ name }) => name !== "createUser") &&
        json(theirs) === '["EventError"]' &&
        json(ours) === "[]",
    ),
  ),
  "adapter-reads": at(/^calls\.adapter$/, (_, { theirs, ours }) => json(writes(theirs)) === json(writes(ours))),

  // Passkeys
  "passkey-no-action": whole(
    (context) => asksFor(context, undefined) && context.step.do === "passkey" && context.step.email !== undefined,
  ),
  "passkey-known-email": whole(
    (context) =>
      asksFor(context, "register") &&
      ((context.observed.theirs.status === 400 && context.observed.ours.status !== 400) ||
        errorsOf(context).ours === "AccountNotLinked"),
  ),
  "passkey-listed": any(
    at(
      /^(?:body\.options\.allowCredentials|calls\.adapter)$/,
      (context) => isPasskey(context) && asksFor(context, "authenticate"),
    ),
    { ...at(/^requests$/, (context) => asksFor(context, "authenticate")), ends: true },
  ),
  "passkey-user-verification": at(
    /^body\.options\.(?:authenticatorSelection\.)?userVerification$/,
    (_, { theirs, ours }) => theirs === "preferred" && ours === "required",
  ),
  "passkey-options": at(/^body\.options\.(?:pubKeyCredParams|hints)$/),
  "passkey-csrf": whole((context) => isPasskey(context) && errorsOf(context).ours === "MissingCSRF"),
  "passkey-errors": at(
    /^(?:location|errors)$/,
    (context) =>
      isPasskey(context) &&
      errorsOf(context).ours === "WebAuthnVerificationError" &&
      ["AuthError", "CallbackRouteError", "InvalidCheck"].includes(errorsOf(context).theirs),
  ),
  "passkey-single-use": any(
    at(
      /^cookies\.challenge$/,
      (context, { theirs }) => theirs === undefined && isCallback(context) && isPasskey(context),
    ),
    // Other tabs go on.
    at(
      /^cookies\.challenge\.(?:effect|attributes\.lifetime)$/,
      (context) => isCallback(context) && context.observed.ours.cookies["challenge"]?.effect === "set",
    ),
    whole(({ step }) => step.do === "passkey" && step.answer === "replay"),
  ),
  "passkey-account": at(/^args\..*\.session_state$/, (_, { theirs }) => theirs === undefined),
  "passkey-new-user": any(
    at(/^args\.event\.linkAccount\.profile\./, (context, { theirs }) => isPasskey(context) && theirs === undefined),
    at(
      /\.(?:user|profile)\.id$/,
      (context, { theirs, ours }) => isPasskey(context) && theirs === undefined && ours === "<random>",
    ),
    at(
      /emailVerified$/,
      ({ plan }, { theirs }) => plan.providers.some(({ type }) => type === "webauthn") && theirs === undefined,
    ),
  ),
  "passkey-adapter": at(
    /^calls\.adapter$/,
    (context, { theirs, ours }) =>
      isPasskey(context) &&
      json(writes(withoutChallenge(theirs)).toSorted()) === json(writes(withoutChallenge(ours)).toSorted()),
  ),
  "passkey-missing-user": whole(
    ({ step, plan, earlier }) =>
      step.do === "passkey" && strategyOf(plan) === "jwt" && earlier.some((each) => signsInWithPassword(each, plan)),
  ),
  "passkey-unreadable-session": whole((context) => isPasskey(context) && /^JW[ET]/.test(errorsOf(context).theirs)),
  "passkey-sign-in-url": whole(
    (context) => isPasskey(context) && isCallback(context) && returnsFromSignIn(context, ...urlsFromSignIn),
  ),
  "passkey-warning": at(/^warnings$/, (_, { theirs, ours }) => {
    const [before, after] = [theirs, ours].map((codes) => names(codes).filter((code) => !isPasskeyWarning(code)))
    return json(before) === json(after?.filter((code) => !isOwnWarning(code)))
  }),

  // Callbacks
  "redirect-when-needed": any(
    at(/^calls\.redirect$|^args\.redirect/),
    whole(({ plan }) => plan.callbacks.redirect === "throws"),
  ),
  "default-through-redirect": at(
    /^location$|^args\.provider/,
    ({ plan }, { theirs, ours }) =>
      (plan.callbacks.redirect !== undefined &&
        theirs === `${plan.origin}/` &&
        /\/(?:home|relative)$/.test(String(ours))) ||
      (plan.callbacks.redirect !== undefined &&
        decodeURIComponent(String(ours)).replace(/\/(?:home|relative)\b/, "") === decodeURIComponent(String(theirs))),
  ),
  "script-urls": at(
    /^(?:location|args\.)/,
    ({ plan }, { theirs, ours }) =>
      plan.callbacks.redirect === "allow any" &&
      decodeURIComponent(String(theirs)).includes("javascript:") &&
      !decodeURIComponent(String(ours)).includes("javascript:"),
  ),
  "sign-in-string": any(
    whole((context) => returnsFromSignIn(context, "yes", "/waitlist", "/a?b=c#d") && errorsOf(context).theirs !== ""),
    at(/^location$/, (context, { theirs, ours }) => {
      const { origin } = context.plan
      return returnsFromSignIn(context, "yes") && ours === `${origin}/yes` && String(theirs).endsWith("/yes")
    }),
    at(
      /^location$/,
      (context, { ours }) =>
        returnsFromSignIn(context, "https://other.test/plans") && ours === "https://other.test/plans",
    ),
  ),
  "relative-redirect": at(
    /^(?:location|held\.callback-url|args\.)/,
    ({ plan }, { theirs, ours }) =>
      plan.callbacks.redirect === "relative" &&
      decodeURIComponent(String(theirs))
        .replace("=/relative", `=${plan.origin}/relative`)
        .replace(/^\/relative/, `${plan.origin}/relative`) === decodeURIComponent(String(ours)),
  ),

  // Next.js
  "next-database-row": at(
    /\.user\.\w+$|userId$|sessionToken$/,
    ({ plan, step }, { ours }) =>
      step.do === "auth" &&
      strategyOf(plan) === "database" &&
      [undefined, "undefined", "null"].includes(plan.callbacks.session) &&
      ours === undefined,
  ),

  "next-added-user": at(
    /\.(?:session|auth)\.user\.\w+$|^body\.user\.\w+$/,
    ({ plan, step }) => step.do === "auth" && plan.callbacks.session === "only a field",
  ),

  // Configuration and log
  "unusable-logged-once": at(/^errors$/, (context) => unusable.has(errorsOf(context).theirs)),
  "more-warnings": at(
    /^warnings$/,
    (_, { theirs, ours }) => json(names(ours).filter((code) => !isOwnWarning(code))) === json(theirs),
  ),
  "express-untrusted-host": at(
    /^(?:status|body)/,
    ({ plan, step, observed }) =>
      plan.framework === "express" &&
      step.do === "auth" &&
      observed.theirs.errors.includes("UntrustedHost") &&
      observed.ours.body === null,
  ),
  "expired-session-quiet": at(
    /^errors$/,
    ({ earlier }, { theirs, ours }) =>
      json(theirs) === '["JWTSessionError"]' &&
      json(ours) === "[]" &&
      earlier.some((step) => step.do === "wait" || step.do === "tamper"),
  ),
  "unused-strategy": whole((context) => errorsOf(context).theirs === "UnsupportedStrategy"),
}
