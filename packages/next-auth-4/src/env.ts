/** The secret of an application that passes none. */
export function secretFromEnv(): string | undefined {
  return process.env["NEXTAUTH_SECRET"] ?? process.env["AUTH_SECRET"]
}
