import { AccessDenied, AuthError } from "../errors.js"
import type { ProfileContext } from "../model/oauth-provider.js"
import type { RawProfile, ServiceProfile } from "../model/provider.js"
import type { TokenSet } from "../model/user.js"
import {
  defineProvider,
  type ProviderFactory,
  type ProviderFacts,
  type ProviderOptions,
} from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/microsoft-entra-id.js"

/** Claims of an ID token of Microsoft Entra ID. */
export interface MicrosoftEntraIDProfile extends ServiceProfile {
  /** The id of the user in this application. Each application gets a different one. */
  readonly sub: string
  /** The id of the user in their tenant, the same for all applications. */
  readonly oid: string
  /** The id of the tenant. */
  readonly tid: string
  readonly name: string
  readonly email: string
  readonly preferred_username: string
}

export interface MicrosoftEntraIDOptions {
  /**
   * Who can sign in: users of every tenant, or of the tenants with these ids (GUIDs). Other users get `AccessDenied`.
   * @default every user the issuer accepts
   */
  readonly tenants?: "common" | readonly string[]
  /** The width and height of the image, in pixels. @default 48 */
  readonly profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

type Options = ProviderOptions<MicrosoftEntraIDProfile, MicrosoftEntraIDOptions>

const authority = "https://login.microsoftonline.com"

/**
 * Sign in with Microsoft Entra ID (work, school and personal accounts), using OpenID Connect.
 *
 * 1. Register an application at https://entra.microsoft.com with the redirect URI
 *    `https://<your site>/auth/callback/microsoft-entra-id` (`/api/auth/callback/microsoft-entra-id` with Next.js).
 * 2. Set `AUTH_MICROSOFT_ENTRA_ID_ID` and `AUTH_MICROSOFT_ENTRA_ID_SECRET`.
 * 3. For a single tenant, set `AUTH_MICROSOFT_ENTRA_ID_ISSUER`, for example to
 *    `https://login.microsoftonline.com/<tenantId>/v2.0`. For several tenants, set the option `tenants`.
 *
 * Scope: `openid profile email User.Read`. The user gets a name, an email and an image. `User.Read` is for the image.
 *
 * - Each ID token is checked against the issuer of its own tenant.
 * - `sub` differs between applications. `oid` is the same for all applications of a tenant.
 * - The email may be missing. Don't trust it unless you trust the tenant: its administrator can set any email.
 *
 * @example
 * ```ts
 * import MicrosoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
 * export const provider = MicrosoftEntraID({ tenants: ["72f988bf-86f1-41af-91ab-2d7cd011db47"] })
 * ```
 * @throws AuthError when `tenants` contains something other than tenant ids
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 */
const MicrosoftEntraID: ProviderFactory<MicrosoftEntraIDProfile, MicrosoftEntraIDOptions, "microsoft-entra-id"> =
  defineProvider(entra)

export default MicrosoftEntraID

/** @internal Shared with the provider `azure-ad`. */
export function entra({
  issuer,
  tenants,
  profilePhotoSize = 48,
}: Options): ProviderFacts<MicrosoftEntraIDProfile> & { readonly id: "microsoft-entra-id" } {
  return {
    id: "microsoft-entra-id",
    name: "Microsoft Entra ID",
    type: "oidc",
    issuer: issuer ?? `${authority}/${onlyTenant(tenants) ?? "common"}/v2.0`,
    authorization: { params: { scope: "openid profile email User.Read" } },
    issuerFor: (claims, published) => tenantIssuer(claims, published, tenants),
    profile: async ({ sub, name, email }, tokens, context) => ({
      id: sub,
      name: name ?? null,
      email: email ?? null,
      image: (await photo(profilePhotoSize, tokens, context)) ?? null,
    }),
    tokens: { scope: "offline_access", hosts: ["graph.microsoft.com"] },
    style: { brandColor: "#0072c6", icon },
  }
}

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function onlyTenant(tenants: MicrosoftEntraIDOptions["tenants"]): string | undefined {
  if (tenants === undefined || tenants === "common") return undefined
  if (tenants.length === 0 || !tenants.every((tenant) => guid.test(tenant))) {
    throw new AuthError(
      'The option `tenants` of Microsoft Entra ID is invalid. Set it to "common" or a list of tenant ids (GUIDs).',
    )
  }
  return tenants.length === 1 ? tenants[0] : undefined
}

/** A discovery document for many tenants has the placeholder `{tenantid}` where an ID token has a tenant id. */
function tenantIssuer({ tid }: RawProfile, published: string, tenants: MicrosoftEntraIDOptions["tenants"]): string {
  const tenant = typeof tid === "string" && guid.test(tid) ? tid.toLowerCase() : undefined
  if (Array.isArray(tenants) && !tenants.some((each) => each.toLowerCase() === tenant)) {
    throw new AccessDenied("The tenant of the user isn't in the option `tenants` of Microsoft Entra ID")
  }
  return tenant === undefined ? published : published.replace("{tenantid}", tenant)
}

/** A user without an image, or without permission to read it, can still sign in. */
async function photo(size: number, { access_token }: TokenSet, context?: ProfileContext): Promise<string | undefined> {
  if (context === undefined) return undefined
  const url = `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  try {
    const response = await context.fetch(url, { headers: { authorization: `Bearer ${access_token}` } })
    if (!response.ok) return undefined
    const bytes = new Uint8Array(await response.arrayBuffer())
    return `data:image/jpeg;base64, ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`
  } catch {
    return undefined
  }
}
