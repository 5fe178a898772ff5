export default async function Guarded() {
  return <p>the guarded page</p>
}
