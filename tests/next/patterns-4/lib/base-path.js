/** The path of NEXTAUTH_URL, which the browser doesn't know. */
export function basePath() {
  const { pathname } = new URL(process.env.NEXTAUTH_URL)
  return pathname === "/" ? "/api/auth" : pathname
}
