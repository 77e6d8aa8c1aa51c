/** Passwords of at least 8 characters that lead every published list of leaked ones; lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  (
    '12345678 123456789 1234567890 123123123 123456789a 12345678a a12345678 a123456789 aa123456 aa12345678 ' +
    '11223344 112233445566 1122334455 12341234 12344321 123454321 1234554321 123321123 123654789 147258369 ' +
    '159357456 741852963 789456123 987654321 9876543210 87654321 88888888a 520131400 5201314520 52013141314 ' +
    '1314520520 woaini1314 woaini520 woaini123 woaiwojia qq123456 qq123456789 abc123456 abcd1234 abc12345 ' +
    'abcd12345 abcdefgh abcdefg123 asd123456 asdfghjkl asdfasdf asdfghjk qwe123456 qweasdzxc qweasd123 ' +
    'qwer1234 qwerty123 qwerty12 qwerty1234 qwertyui qwertyuiop qwertyuiop123 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y ' +
    '1qaz2wsx 1qaz2wsx3edc 1qazxsw2 q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1zaq1 zxcvbnm123 zxcvbnm1 zxcvbnma ' +
    'password password1 password12 password123 passw0rd p@ssw0rd p@ssword pa55word pass1234 mypassword ' +
    'admin123 admin1234 admin12345 admin888 administrator adminadmin root1234 rootroot changeme changeit ' +
    'welcome1 welcome123 letmein1 letmein123 iloveyou iloveyou1 sunshine princess football baseball ' +
    'superman batman123 starwars trustno1 whatever computer internet samsung1 michelle jennifer michael1 ' +
    'charlie1 jordan23 master123 dragon123 monkey123 shadow123 killer123 hello123 freedom1 liverpool ' +
    'chelsea1 arsenal1 barcelona realmadrid pokemon1 naruto123 minecraft google123 facebook linkedin ' +
    'test1234 testtest testing123 temp1234 guest123 default1 secret123 login123 access14 aaaaaaaa zzzzzzzz ' +
    'homeport homeport1 homeport123 openwrt1 openwrt123 router123 synology raspberry asdf1234 zxcv1234 ' +
    'woshishui nihao123 zhang123 wang1234 liu12345 beijing2008 shanghai1 taobao123 weixin123 iloveyou520 ' +
    '00000000 01234567 0123456789 10203040 13131313 20082008 66668888 88886666 99999999 11111111 111111111'
  ).split(' '),
)
