import { at, type Entries, whole } from "./entries.js"

/** Differences that are no entries of the page, because they have to go. */
export const pending: Entries = {
  "the callback URL isn't remembered": at(
    /^(?:held\.callback-url|location|args\.(?:provider|redirect).*)$/,
    ({ observed: { theirs, ours } }) => theirs.held["callback-url"] !== ours.held["callback-url"],
  ),
  "a configuration is refused": whole(
    ({ observed: { theirs, ours } }) =>
      (ours.status === 500 && theirs.status < 500) ||
      (ours.location?.includes("error=Configuration") === true && theirs.errors.length === 0),
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
