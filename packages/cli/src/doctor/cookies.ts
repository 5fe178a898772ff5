export function cookieName(line: string): string {
  return line.split("=", 1)[0] ?? ""
}

/** What is wrong with a `Set-Cookie` of the engine, which a configuration or a proxy may have changed. */
export function cookieFaults(line: string, isHttps: boolean): string[] {
  const name = cookieName(line)
  const has = (attribute: RegExp) => attribute.test(line)
  return [
    ...(has(/;\s*HttpOnly/i) ? [] : [`${name} is not HttpOnly`]),
    ...(has(/;\s*SameSite=(?:Lax|Strict)/i) ? [] : [`${name} has no SameSite=Lax`]),
    ...(isHttps ? faultsOverHttps(name, has) : []),
    ...(!isHttps && has(/;\s*Secure/i) ? [`${name} is Secure, and browsers refuse it over http`] : []),
  ]
}

/** RFC 6265bis §4.1.3: what a prefix promises, browsers enforce. */
function faultsOverHttps(name: string, has: (attribute: RegExp) => boolean): string[] {
  const isOfHost = has(/;\s*Path=\/(?:;|$)/i) && !has(/;\s*Domain=/i)
  return [
    ...(has(/;\s*Secure/i) ? [] : [`${name} is not Secure`]),
    ...(/^__(?:Host|Secure)-/.test(name) ? [] : [`${name} has no prefix: the site takes itself for one without https`]),
    ...(name.startsWith("__Host-") && !isOfHost ? [`${name} is refused: __Host- wants Path=/ and no Domain`] : []),
  ]
}
