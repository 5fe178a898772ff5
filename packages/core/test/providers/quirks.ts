import { client, type Facts, isObject, type Json } from "./facts.js"
import type { Quirk } from "./service/desk.js"
import { accessTokenIsJwt } from "./services/access-token-is-jwt.js"
import { authorizationSchemeOAuth } from "./services/authorization-scheme-oauth.js"
import { callbackFormPost } from "./services/callback-form-post.js"
import { claimsParameter } from "./services/claims-parameter.js"
import { clientKeyNaming } from "./services/client-key-naming.js"
import { clientSecretJwt } from "./services/client-secret-jwt.js"
import { discoveryWithoutUserinfo } from "./services/discovery-without-userinfo.js"
import { expiresInString } from "./services/expires-in-string.js"
import { idTokenHs256 } from "./services/id-token-hs256.js"
import { idTokenOnOAuth2 } from "./services/id-token-on-oauth2.js"
import { scopeArray } from "./services/scope-array.js"
import { scopeNull } from "./services/scope-null.js"
import { tokenFormEncoded } from "./services/token-form-encoded.js"
import { tokenInQuery } from "./services/token-in-query.js"
import { tokenStatus201 } from "./services/token-status-201.js"
import { tokenTypeMissing } from "./services/token-type-missing.js"
import { userinfoGraphql } from "./services/userinfo-graphql.js"
import { userinfoInsteadOfIdToken } from "./services/userinfo-instead-of-id-token.js"
import { userinfoSignedJwt } from "./services/userinfo-signed-jwt.js"
import { wwwAuthenticateOnSuccess } from "./services/www-authenticate-on-success.js"

/** Odd behaviour that takes code to imitate: a service plays those that its facts name. */
export const quirks: Readonly<Record<string, Quirk>> = {
  "access-token-is-jwt": accessTokenIsJwt,
  "authorization-scheme-oauth": authorizationSchemeOAuth,
  "callback-form-post": callbackFormPost,
  "claims-parameter": claimsParameter,
  "client-key-naming": clientKeyNaming,
  "client-secret-jwt": clientSecretJwt,
  "discovery-without-userinfo": discoveryWithoutUserinfo,
  "expires-in-string": expiresInString,
  "id-token-hs256": idTokenHs256,
  "id-token-on-oauth2": idTokenOnOAuth2,
  "scope-array": scopeArray,
  "scope-null": scopeNull,
  "token-form-encoded": tokenFormEncoded,
  "token-in-query": tokenInQuery,
  "token-status-201": tokenStatus201,
  "token-type-missing": tokenTypeMissing,
  "userinfo-graphql": userinfoGraphql,
  "userinfo-instead-of-id-token": userinfoInsteadOfIdToken,
  "userinfo-signed-jwt": userinfoSignedJwt,
  "www-authenticate-on-success": wwwAuthenticateOnSuccess,
}

/** Odd behaviour that the facts themselves spell out: where in them it must be seen, in the facts or a variant. */
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

/** Remarks: on what others do, on addresses that age, on options, on how a user is made of the profile. */
export const silent: readonly string[] = [
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
