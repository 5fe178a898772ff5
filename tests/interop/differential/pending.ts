import { at, type Entries, whole } from "./entries.js"

/** Differences that are no entries of the page, because they have to go. */
export const pending: Entries = {
  "a warning is repeated": at(/^warnings$/, (_, { ours }) => JSON.stringify(ours).includes(" again")),
  "the error page gets other codes": at(
    /^location$/,
    (_, { theirs, ours }) => String(theirs).replace("error=Own", "error=Default") === ours,
  ),
  "the page for a sent email loses its query": at(/^location$/, ({ request }) => request === "GET /verify-request"),
  "options of the state cookie break a provider without state": whole(
    ({ plan, observed }) => plan.cookies?.state !== undefined && observed.ours.errors.includes("InvalidCheck"),
  ),
  "JSON of auth() has no columns of the user": at(
    /\.user\.\w+$|userId$/,
    ({ step }, { ours }) => step.do === "auth" && ours === undefined,
  ),
}
