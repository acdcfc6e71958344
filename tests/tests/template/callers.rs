//! Who may call enqueue from elsewhere.

use serde_json::{Value, json};

use crate::page::{of_type, template};

/// The accounts that a list of them lets in, as `CloudFormation` reads the permissions.
fn let_in(template: &Value, list: &str) -> Vec<String> {
    let permissions = of_type(template, "AWS::Lambda::Permission").into_iter();
    let accounts = permissions.filter(|(name, _)| template["Resources"][name]["Condition"] == "HasCallerAccounts");
    let accounts = accounts.map(|(name, permission)| {
        let place = &permission["Principal"]["Fn::Select"];
        let split = &place[1]["Fn::Split"];
        assert_eq!(split[0], ",", "{name}");
        let joined = split[1]["Fn::Sub"].as_str().expect(name).replace("${CallerAccounts}", list);
        let place = place[0].as_u64().and_then(|place| usize::try_from(place).ok()).expect(name);
        joined.split(',').nth(place).expect(name).to_owned()
    });
    let mut accounts: Vec<_> = accounts.collect();
    accounts.sort_unstable();
    accounts.dedup();
    accounts
}

#[test]
fn each_account_of_the_list_may_invoke_enqueue_and_no_other() {
    let template = template();
    let accounts: Vec<_> = (1..=5).map(|n| format!("{n:012}")).collect();
    for n in 1..=accounts.len() {
        assert_eq!(let_in(&template, &accounts[..n].join(",")), accounts[..n]);
    }
}

#[test]
fn a_list_of_accounts_that_does_not_fit_is_refused_with_what_to_do() {
    let parameter = &template()["Parameters"]["CallerAccounts"];
    let takes = jsonschema::validator_for(&json!({"pattern": parameter["AllowedPattern"]})).expect("a pattern");
    let account = "111111111111";
    for n in 0..=7 {
        assert_eq!(takes.is_valid(&json!(vec![account; n].join(","))), n <= 5, "{n} accounts");
    }
    for refused in ["11111111111", "111111111111,", "111111111111, 222222222222", "arn:aws:iam::111111111111:root", "*"]
    {
        assert!(!takes.is_valid(&json!(refused)), "{refused}");
    }
    let says = parameter["ConstraintDescription"].as_str().expect("what to do");
    assert!(says.contains("five accounts") && says.contains("CallerOrganization"), "{says}");
}

#[test]
fn an_organisation_lets_its_own_accounts_in_and_nobody_else() {
    let permissions = template()["Resources"]["CallerOrganizationPermission"].clone();
    assert_eq!(permissions["Condition"], "HasCallerOrganization");
    assert_eq!(permissions["Properties"]["Principal"], "*");
    assert_eq!(permissions["Properties"]["PrincipalOrgID"], json!({"Ref": "CallerOrganization"}));
}
