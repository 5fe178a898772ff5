/** Ends the action, the render or the handler and sends the browser on; Next.js does it by throwing. */
export async function navigate(to: string): Promise<never> {
  const { redirect } = await import("next/navigation.js")
  return redirect(to)
}
