import type { Background } from "./context.js"
import type { Settings } from "./options.js"

/** What `latchkey doctor` reports. */
export async function doctor({ maxAge }: Settings, context: Background): Promise<readonly string[]> {
  const findings: string[] = []
  if (!context.canMail) findings.push("Users get no emails before their API keys expire. Add an email provider")
  else if (!(await hasUrl(context)))
    findings.push("Emails about API keys that expire can't be sent without a URL. Set AUTH_URL to the URL of this site")
  if (maxAge === null) findings.push("API keys may work forever. Set `maxAge` to the seconds that they work at most")
  return findings
}

async function hasUrl(context: Background): Promise<boolean> {
  try {
    await context.atSite()
    return true
  } catch {
    return false
  }
}
