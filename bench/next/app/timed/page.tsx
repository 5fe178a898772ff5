export default function Page() {
  return <p>timed</p>
}
