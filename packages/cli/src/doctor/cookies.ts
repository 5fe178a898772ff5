export function cookieName(line: string): string {
  return line.split("=", 1)[0] ?? ""
}

/** The problems of a `Set-Cookie` header, which the configuration or a proxy may have changed. */
export function cookieFaults(line: string, isHttps: boolean): string[] {
  const name = cookieName(line)
  const has = (attribute: RegExp) => attribute.test(line)
  return [
    ...(has(/;\s*HttpOnly/i) ? [] : [`${name} isn't HttpOnly`]),
    ...(has(/;\s*SameSite=(?:Lax|Strict)/i) ? [] : [`${name} has no SameSite=Lax`]),
    ...(isHttps ? faultsOverHttps(name, has) : []),
    ...(!isHttps && has(/;\s*Secure/i) ? [`${name} is Secure, so browsers reject it over http`] : []),
  ]
}

/** Browsers reject a cookie that breaks the rules of its prefix (RFC 6265bis §4.1.3). */
function faultsOverHttps(name: string, has: (attribute: RegExp) => boolean): string[] {
  const isHostOnly = has(/;\s*Path=\/(?:;|$)/i) && !has(/;\s*Domain=/i)
  return [
    ...(has(/;\s*Secure/i) ? [] : [`${name} isn't Secure`]),
    ...(/^__(?:Host|Secure)-/.test(name)
      ? []
      : [`${name} has no prefix, so the site doesn't know that it runs over https`]),
    ...(name.startsWith("__Host-") && !isHostOnly
      ? [`${name} is rejected, because __Host- requires Path=/ and no Domain`]
      : []),
  ]
}
