import { client, type Facts, isObject, type Json } from "./facts.js"

/** Quirks that the facts or one of their variants show: how to see them. */
export const visible: Readonly<Record<string, (facts: Facts) => boolean>> = {
  "authorization-extra-params": ({ authorization }) => namesOf(authorization.params).some((name) => name !== "scope"),
  "authorization-fragment": ({ authorization }) => authorization.url?.includes("#") === true,
  "callback-extra-params": ({ callback }) => namesOf(callback).length > 0,
  "client-secret-post": ({ token }) => token.auth === "client_secret_post",
  "default-scope-on-oauth2": ({ type, authorization }) =>
    type === "oauth" && authorization.params?.["scope"] === "openid profile email",
  "empty-scope": ({ authorization }) => authorization.params?.["scope"] === "",
  "error-shape": ({ refusal }) => refusal !== undefined && refusal.status >= 400 && !("error" in refusal.body),
  "explicit-endpoints-on-oidc": ({ type, token }) => type === "oidc" && token.url !== undefined,
  "extra-user-fields": ({ samples }) =>
    namesOf(samples[0].user).some((name) => !["id", "name", "email", "image"].includes(name)),
  "factory-time-issuer": ({ options, issuer }) => options?.["issuer"] !== undefined || issuer === undefined,
  "factory-time-options": ({ options, authorization }) => options?.["scope"] === authorization.params?.["scope"],
  "id-token-only": ({ profileFrom, userinfo }) => profileFrom === "id_token" && userinfo === undefined,
  "issuer-from-client-id": ({ issuer }) => issuer?.endsWith(`/${client.clientId}`) === true,
  "issuer-required": ({ options }) => typeof options?.["issuer"] === "string",
  "issuer-rewrite": ({ issuer, discovery }) => discovery?.issuer !== issuer,
  "issuer-trailing-slash": ({ discovery }) => discovery?.issuer.endsWith("/") === true,
  "module-differs-from-id": ({ module, id }) => module !== id,
  "no-email": ({ samples }) => samples.every(({ user }) => (user["email"] ?? null) === null),
  "no-pkce": ({ checks }) => !checks.includes("pkce"),
  "no-userinfo": ({ type, userinfo }) => type === "oauth" && userinfo === undefined,
  "numeric-id": ({ samples }) => JSON.stringify(samples).includes(`:${samples[0].user.id}`),
  "pkce-plain": ({ pkce }) => pkce === "plain",
  "profile-fetches": ({ userinfo }) => userinfo?.unread === true && userinfo.then !== undefined,
  "public-client": ({ token }) => token.auth === "none",
  "response-envelope": ({ userinfo, samples }) =>
    userinfo?.envelope !== undefined || Object.values(samples[0].profile).some(isNested),
  "rfc9207-iss": ({ callback, issuer }) => callback?.["iss"] === issuer,
  "rfc9207-iss-possible": ({ callback, issuer }) => callback?.["iss"] !== undefined && issuer === undefined,
  "scope-comma": ({ authorization }) => authorization.params?.["scope"]?.includes(" ") === false,
  "scope-encoding": ({ authorization }) => authorization.params?.["scope"]?.includes(" ") === true,
  "token-custom-request": ({ token }) => [token.form, token.query, token.replaces].some((own) => own !== undefined),
  "token-error-in-200": ({ refusal }) => refusal?.status === 200,
  "token-in-path": ({ userinfo }) => userinfo?.url?.endsWith("/{token}") === true,
  "userinfo-custom-request": ({ userinfo }) => userinfo?.custom === true,
  "userinfo-custom-request-needed": ({ userinfo }) => userinfo?.custom === true,
  "userinfo-from-options": ({ options, userinfo }) => options?.["userinfo"] === userinfo?.url,
  "userinfo-required-header": ({ userinfo }) => namesOf(userinfo?.headers).length > 0,
  "userinfo-second-call": ({ userinfo }) => userinfo?.then !== undefined,
  "userinfo-uses-token-response": ({ token }) => namesOf(token.answer).length > 0,
  "username-as-subject": ({ samples: [{ profile }] }) => profile["sub"] === profile["username"],
  "well-known-not-at-issuer": ({ issuer, discovery }) =>
    [issuer, discovery?.issuer].some((each = "") => discovery?.at !== wellKnown(each)),
}

/** Quirks that change nothing in a sign-in: remarks about options, hosts, or how the profile maps to a user. */
export const remarks: readonly string[] = [
  "authorization-extra-params-optional",
  "avatar-computed",
  "environment-hosts",
  "factory-time-credentials",
  "no-email-sometimes",
  "no-stable-id",
  "no-state",
  "regional-hosts",
  "scope-deprecated",
  "token-response-conform",
  "userinfo-second-call-optional",
  "versioned-endpoint",
]

function namesOf(fields: Json | undefined): readonly string[] {
  return Object.keys(fields ?? {})
}

function wellKnown(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

function isNested(value: unknown): boolean {
  return isObject(value) || (Array.isArray(value) && isObject(value[0]))
}
