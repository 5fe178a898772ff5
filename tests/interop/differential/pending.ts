import { at, type Entries, whole } from "./entries.js"

/** Differences that are no entries of the page, because they have to go. */
export const pending: Entries = {
  "the callback URL isn't remembered": at(
    /^(?:held\.callback-url|location|args\.(?:provider|redirect).*)$/,
    ({ observed: { theirs, ours } }) => theirs.held["callback-url"] !== ours.held["callback-url"],
  ),
  "the callback URL is forgotten": at(
    /^cookies\.callback-url/,
    ({ observed }) => observed.ours.cookies["callback-url"]?.effect === "cleared",
  ),
  "authorize doesn't get all fields": at(
    /^args\.(?:provider\.authorize\.0|callback\.signIn\.0\.credentials)\.(?:csrfToken|callbackUrl)$/,
  ),
  "a configuration is refused": whole(
    ({ observed: { theirs, ours } }) =>
      (ours.status === 500 && theirs.status < 500) ||
      (ours.location?.includes("error=Configuration") === true && theirs.errors.length === 0),
  ),
  "a user without an id is refused": whole(
    ({ request, observed: { theirs, ours } }) =>
      request.startsWith("POST /callback/") &&
      ours.errors.includes("AuthError") &&
      !theirs.errors.includes("AuthError"),
  ),
  "a truthy result of signIn is refused": whole(
    ({ plan, request, observed: { ours } }) =>
      /^(GET|POST) \/(callback|signin)/.test(request) &&
      (ours.errors.includes("AccessDenied") || ours.errors.length === 0) &&
      plan.callbacks.signIn !== undefined &&
      "returns" in plan.callbacks.signIn &&
      plan.callbacks.signIn.returns !== true,
  ),
  "a failing provider leads to the sign-in page": at(
    /^(?:errors|location)$/,
    ({ observed: { theirs, ours } }) =>
      theirs.errors[0] === "CallbackRouteError" && ours.errors[0] === "OAuthCallbackError",
  ),
  "an unreadable session cookie isn't logged": at(
    /^errors$/,
    (_, { theirs, ours }) => JSON.stringify(theirs) === '["JWTSessionError"]' && JSON.stringify(ours) === "[]",
  ),
  "a numeric account id becomes a text": at(
    /providerAccountId$/,
    (_, { theirs, ours }) => typeof theirs === "number" && ours === String(theirs),
  ),
  "the page for a sent email loses its query": at(/^location$/, ({ request }) => request === "GET /verify-request"),
  "auth() adds other fields of the user": at(
    /\.user\.(?:exp|picture|sub|image|name|email)$/,
    ({ plan, step }) => step.do === "auth" && plan.callbacks.session === "only a field",
  ),
  "custom pages get other codes": at(
    /^location$/,
    (_, { theirs, ours }) => String(theirs).replace(/error=Own/, "error=Default") === ours,
  ),
}
