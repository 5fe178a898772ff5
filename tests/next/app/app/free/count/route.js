export const dynamic = "force-dynamic"

export function GET() {
  return Response.json(globalThis.sessionReads ?? 0)
}
