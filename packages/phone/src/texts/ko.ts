const texts: Readonly<Record<string, string>> = {
  title: "문자 메시지로 로그인",
  other: "다른 번호 사용",
  expired: "이 코드는 더 이상 사용할 수 없습니다. 새 코드를 보내세요.",
  cantSend: "이 번호로 코드를 보낼 수 없습니다.",
  current: "{number}(으)로 받은 코드로 로그인할 수 있습니다.",
  use: "이 번호 사용",
  remove: "이 번호 삭제",
  lastWay: "번호를 삭제하기 전에 계정에 이메일을 추가하세요.",
  mailAdded: "이제 {number}(으)로 받은 코드로 계정에 로그인할 수 있습니다.",
  mailRemoved: "{number}(으)로 받은 코드로는 더 이상 로그인할 수 없습니다.",
  send: "문자 메시지로 코드 보내기",
  phone: "전화번호",
  code: "코드",
  sent: "{to}(으)로 코드를 보냈습니다. 10분 안에 입력하세요.",
  verify: "계속",
  wrong: "코드가 틀렸거나 이미 사용되었습니다.",
  invalid: "국가 번호를 포함한 전화번호를 입력하세요(예: +82 2 1234 5678).",
  notSent: "코드를 보낼 수 없습니다. 나중에 다시 시도하세요.",
  message: "{code}은(는) {app} 코드입니다. 누구에게도 알려주지 마세요.",
  account: "계정으로 이동",
  mailNotYou:
    "본인이 아니라면 다른 사람이 로그인 방법을 알고 있을 수 있습니다. 로그인하여 변경하고 다른 모든 곳에서 로그아웃하세요.",
}

export default texts
