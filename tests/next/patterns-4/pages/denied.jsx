export default function Denied() {
  return <p id="user">denied</p>
}
