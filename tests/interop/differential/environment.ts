/** Runs `work` with exactly these variables in place of all that a library reads. */
export async function withVariables<T>(
  variables: Readonly<Record<string, string>>,
  work: () => Promise<T> | T,
): Promise<T> {
  const before = { ...process.env }
  for (const name of Object.keys(before)) if (isRead(name)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, variables)
  try {
    return await work()
  } finally {
    for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, before)
  }
}

function isRead(name: string): boolean {
  return /^(?:AUTH_|NEXTAUTH_|VERCEL$|CF_PAGES$|NODE_ENV$)/.test(name)
}
