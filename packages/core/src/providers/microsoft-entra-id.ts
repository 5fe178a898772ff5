import { AccessDenied, AuthError } from "../errors.js"
import type { ProfileContext, RawProfile } from "../model/provider.js"
import type { TokenSet } from "../model/user.js"
import {
  defineProvider,
  type ProviderFactory,
  type ProviderFacts,
  type ProviderOptions,
} from "../provider-kit/define.js"

/** Claims of an ID token of Microsoft Entra ID. */
export interface MicrosoftEntraIDProfile extends RawProfile {
  /** The person at this application; another one at each application. */
  readonly sub: string
  /** The person in this directory, the same for all applications. */
  readonly oid?: string
  /** The directory. */
  readonly tid?: string
  readonly name?: string
  readonly email?: string
  readonly preferred_username?: string
}

export interface MicrosoftEntraIDOptions {
  /**
   * Whose people may sign in: those of every directory, or of the directories with these ids (GUIDs). Anybody else ends
   * with `AccessDenied`. @default whoever the issuer admits
   */
  readonly tenants?: "common" | readonly string[]
  /** Pixels of the picture's edge. @default 48 */
  readonly profilePhotoSize?: 48 | 64 | 96 | 120 | 240 | 360 | 432 | 504 | 648
}

type Options = ProviderOptions<MicrosoftEntraIDProfile, MicrosoftEntraIDOptions>

const authority = "https://login.microsoftonline.com"

/**
 * Sign-in with Microsoft Entra ID (work, school and personal accounts), by OpenID Connect.
 *
 * Set-up: register an application in the Entra admin centre with the callback URL
 * `https://<your site>/auth/callback/microsoft-entra-id` (`/api/auth/…` under Next.js), and set
 * `AUTH_MICROSOFT_ENTRA_ID_ID`, `AUTH_MICROSOFT_ENTRA_ID_SECRET` and, for one directory,
 * `AUTH_MICROSOFT_ENTRA_ID_ISSUER` (`https://login.microsoftonline.com/<tenantId>/v2.0`).
 * Scope: `openid profile email User.Read`, the last one for the picture.
 *
 * - Each ID token is checked against the issuer of its own directory.
 * - `sub` differs between applications; `oid` is the same within a directory.
 * - The e-mail address may be missing, and is no proof of anything outside directories you trust.
 *
 * @example
 * ```ts
 * import MicrosoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
 * export const provider = MicrosoftEntraID({ tenants: ["72f988bf-86f1-41af-91ab-2d7cd011db47"] })
 * ```
 * @throws AuthError when `tenants` holds something else than ids
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 */
const MicrosoftEntraID: ProviderFactory<MicrosoftEntraIDProfile, MicrosoftEntraIDOptions> = defineProvider<
  MicrosoftEntraIDProfile,
  MicrosoftEntraIDOptions
>((options) => entra(options))

export default MicrosoftEntraID

/** @internal for the provider under its former name */
export function entra({ issuer, tenants, profilePhotoSize = 48 }: Options): ProviderFacts<MicrosoftEntraIDProfile> {
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
    style: { brandColor: "#0072c6" },
  }
}

const guid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function onlyTenant(tenants: MicrosoftEntraIDOptions["tenants"]): string | undefined {
  if (tenants === undefined || tenants === "common") return undefined
  if (tenants.length === 0 || !tenants.every((tenant) => guid.test(tenant))) {
    throw new AuthError('`tenants` of Microsoft Entra ID is "common" or a list of directory ids (GUIDs)')
  }
  return tenants.length === 1 ? tenants[0] : undefined
}

/** Authorities of many directories publish `{tenantid}` where the ID token has the directory that it is from. */
function tenantIssuer({ tid }: RawProfile, published: string, tenants: MicrosoftEntraIDOptions["tenants"]): string {
  const tenant = typeof tid === "string" && guid.test(tid) ? tid.toLowerCase() : undefined
  if (Array.isArray(tenants) && !tenants.some((each) => each.toLowerCase() === tenant)) {
    throw new AccessDenied("The person's directory is not among the `tenants` of Microsoft Entra ID")
  }
  return tenant === undefined ? published : published.replace("{tenantid}", tenant)
}

/** Microsoft Graph has the picture; who has none, or may not be asked, goes without. */
async function photo(size: number, { access_token }: TokenSet, context?: ProfileContext): Promise<string | undefined> {
  if (context === undefined) return undefined
  const address = `https://graph.microsoft.com/v1.0/me/photos/${size}x${size}/$value`
  try {
    const response = await context.fetch(address, { headers: { authorization: `Bearer ${access_token}` } })
    if (!response.ok) return undefined
    const bytes = new Uint8Array(await response.arrayBuffer())
    return `data:image/jpeg;base64, ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`
  } catch {
    return undefined
  }
}
